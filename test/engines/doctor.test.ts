import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Finding } from '../../src/cli/doctor/finding.ts';
import { runCli } from '../cli/run-cli.ts';
import { makeCertificates } from '../support/certificates.ts';
import { unprivileged } from './leash.ts';
import { addressOf, findPostgres, password, serverFolder, startPostgres } from './postgres.ts';
import { hasProgram, startSentinels } from './redis.ts';

const canRun = hasProgram('openssl') && hasProgram('redis-server') && hasProgram('redis-sentinel');

test.runIf(canRun)(
  'doctor looks at a database with TLS and at Redis behind Sentinels, and shows no password',
  async () => {
    const folder = await serverFolder();
    const home = await mkdtemp(join(tmpdir(), 'cartwright-doctor-'));
    const { ca, key, certificate } = await makeCertificates(folder);
    const as = unprivileged();
    if (as) await chown(key, as.uid, as.gid);
    const server = await startPostgres((await findPostgres(18))!, {
      settings: ['ssl = on', `ssl_cert_file = '${certificate}'`, `ssl_key_file = '${key}'`],
      access: ['host all admin 127.0.0.1/32 scram-sha-256', 'hostssl all all 127.0.0.1/32 scram-sha-256'],
    });
    const sentinels = await startSentinels();
    const hosts = sentinels.ports.map((port) => `127.0.0.1:${port}`).join(',');
    const diagnose = async (query: string, redisUrl: string) => {
      const env = { DATABASE_URL: addressOf(server.port, { host: 'localhost', query }), REDIS_URL: redisUrl };
      const { out, err } = await runCli(['doctor', '--json'], { cwd: home, env });
      expect(`${out}${err}`).not.toContain(password);
      const { findings } = JSON.parse(out) as { findings: Finding[] };
      return (check: string) => findings.find((one) => one.check === check);
    };
    try {
      await writeFile(join(home, 'cartwright.yaml'), 'accounts: { north: {} }\n');
      const full = `?sslmode=verify-full&sslrootcert=${ca}`;
      const of = await diagnose(full, `redis+sentinel://${hosts}/orders`);
      expect(of('database_tls')).toMatchObject({
        level: 'fine',
        message: expect.stringMatching(/^The connection is encrypted \(TLS/),
      });
      expect(of('redis_version')).toMatchObject({ level: 'fine' });
      expect(of('redis_tls')).toMatchObject({ level: 'fine' });
      expect(of('redis_persistence')).toMatchObject({ level: 'note' });

      const wrong = await diagnose('?sslmode=verify-full', `redis+sentinel://${hosts}/unknown`);
      expect(wrong('database_down')).toMatchObject({
        level: 'problem',
        message: expect.stringMatching(/certificate is not signed.*Add sslrootcert=/),
      });
      expect(wrong('queue_down') ?? wrong('queue_address')).toMatchObject({ level: 'problem' });
    } finally {
      await sentinels.stop();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
      await rm(home, { recursive: true, force: true });
    }
  },
  250_000,
);
