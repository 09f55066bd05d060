import { spawnSync } from 'node:child_process';
import { chown, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '../../src/embedded/free-port.ts';
import { startLeashed, unprivileged } from './leash.ts';
import { addressOf, password, serverFolder } from './postgres.ts';

/** PgBouncer in front of a Postgres on loopback. Undefined if it is not installed, which is an error in CI. */
export const startPgBouncer = async (
  postgresPort: number,
  settings: readonly string[],
): Promise<{ url: string; port: number; stop(): Promise<void> } | undefined> => {
  if (spawnSync('pgbouncer', ['--version']).error) {
    if (process.env.CI) throw new Error('pgbouncer is not installed; CI must have it');
    return undefined;
  }
  const folder = await serverFolder();
  const as = unprivileged();
  const port = await findFreePort();
  const file = join(folder, 'pgbouncer.ini');
  const users = join(folder, 'users');
  await writeFile(users, `"cartwright" "${password}"\n`);
  await writeFile(
    file,
    `[databases]\n* = host=127.0.0.1 port=${postgresPort}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}
unix_socket_dir =\nauth_type = plain\nauth_file = ${users}\n${settings.join('\n')}\n`,
  );
  if (as) for (const made of [file, users]) await chown(made, as.uid, as.gid);
  const running = await startLeashed(['pgbouncer', file], { port, as, cwd: folder });
  return {
    url: addressOf(port),
    port,
    async stop() {
      await running.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
