import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { findFreePort } from '../../src/embedded/free-port.ts';
import { until } from '../support/run-system.ts';
import { startLeashed } from './leash.ts';

/** Whether a server's program is installed; in CI it must be. */
export const hasProgram = (program: string): boolean => {
  if (!spawnSync(program, ['--version']).error) return true;
  if (process.env.CI) throw new Error(`${program} is not installed; CI must have it`);
  return false;
};

export interface RedisServer {
  port: number;
  folder: string;
  /** Runs a command as the given address's user; default: without a login. */
  ask(...command: string[]): Promise<unknown>;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** A server on loopback with these settings (lines of redis.conf). `PORT` in them is its port. */
export const startRedisServer = async (
  settings: readonly string[],
  { program = ['redis-server'], port = 0 }: { program?: readonly string[]; port?: number } = {},
): Promise<RedisServer> => {
  const chosen = port || (await findFreePort());
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-redis-'));
  const file = join(folder, 'redis.conf');
  const own = [`dir ${folder}`, 'bind 127.0.0.1', `port ${chosen}`];
  const given = settings.map((line) => line.replaceAll('PORT', String(chosen)));
  await writeFile(file, `${[...own, ...given].join('\n')}\n`);
  const running = await startLeashed([program[0]!, file, ...program.slice(1)], { port: chosen });
  return {
    port: chosen,
    folder,
    async ask(name, ...rest) {
      const client = new Redis({ port: chosen, lazyConnect: true, retryStrategy: () => null });
      client.on('error', () => {});
      try {
        return await client.call(name!, ...rest);
      } finally {
        client.disconnect();
      }
    },
    kill: running.kill,
    async stop() {
      await running.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

const plain = ['save ""', 'appendonly no'];

/** Three nodes on loopback that have all slots between them. */
export const startCluster = async (): Promise<{ ports: number[]; stop(): Promise<void> }> => {
  const nodes: RedisServer[] = [];
  for (let at = 0; at < 3; at++) {
    const bus = `cluster-port ${await findFreePort()}`;
    nodes.push(await startRedisServer([...plain, 'cluster-enabled yes', bus]));
  }
  const ports = nodes.map(({ port }) => port);
  const hosts = ports.map((port) => `127.0.0.1:${port}`);
  execFileSync('redis-cli', ['--cluster', 'create', ...hosts, '--cluster-replicas', '0', '--cluster-yes'], {
    stdio: 'pipe',
  });
  for (const node of nodes) {
    await until(async () => String(await node.ask('cluster', 'info')).includes('cluster_state:ok'));
  }
  return {
    ports,
    stop: async () => {
      for (const node of nodes) await node.stop();
    },
  };
};

/** A primary, its replica, and three Sentinels that know them as `orders`. */
export const startSentinels = async () => {
  const primary = await startRedisServer(plain);
  const replica = await startRedisServer([...plain, `replicaof 127.0.0.1 ${primary.port}`]);
  await until(async () => String(await replica.ask('info', 'replication')).includes('master_link_status:up'));
  const sentinels: RedisServer[] = [];
  for (let at = 0; at < 3; at++) {
    const settings = [
      `sentinel monitor orders 127.0.0.1 ${primary.port} 2`,
      'sentinel down-after-milliseconds orders 1000',
      'sentinel failover-timeout orders 5000',
    ];
    sentinels.push(await startRedisServer(settings, { program: ['redis-server', '--sentinel'] }));
  }
  for (const sentinel of sentinels) {
    const counts = async () => JSON.stringify(await sentinel.ask('sentinel', 'master', 'orders'));
    await until(async () => /"num-slaves","1","num-other-sentinels","2"/.test(await counts()));
  }
  return {
    primary,
    replica,
    ports: sentinels.map(({ port }) => port),
    stop: async () => {
      for (const server of [...sentinels, replica, primary]) await server.stop();
    },
  };
};
