import { UserError } from '../errors.ts';
import { runProgram, type ServerUser } from './programs.ts';

const userName = 'postgres';

const readServerUser = async (): Promise<ServerUser | undefined> => {
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map((flag) => runProgram('id', [flag, userName], { cwd: '/', timeoutMs: 10_000 })),
  );
  if (uid?.exitCode !== 0 || gid?.exitCode !== 0) return undefined;
  return { uid: Number(uid.output), gid: Number(gid.output) };
};

/**
 * The user that the server runs as: undefined (the user of this process) unless that is root, which Postgres refuses;
 * then the system user `postgres`, created if missing. Idempotent.
 *
 * @throws UserError `embedded_as_root` if that user cannot be created
 */
export const findServerUser = async (): Promise<ServerUser | undefined> => {
  if (process.getuid?.() !== 0) return undefined;
  const before = await readServerUser();
  if (before) return before;
  const options = { cwd: '/', timeoutMs: 20_000 };
  const group = await runProgram('groupadd', ['--system', '--force', userName], options);
  const user = await runProgram(
    'useradd',
    ['--system', '--gid', userName, '--no-create-home', '--shell', '/usr/sbin/nologin', userName],
    options,
  );
  // Another process may have created the user meanwhile, so only its existence counts.
  const after = await readServerUser();
  if (after) return after;
  throw new UserError(
    'embedded_as_root',
    `Postgres does not run as root, and the system user "${userName}" could not be created (${[group.output, user.output].filter(Boolean).join('; ')}). Start Cartwright as an ordinary user, or set DATABASE_URL to your own Postgres.`,
  );
};
