import { UserError } from '../errors.ts';
import { runProgram, type ServerUser } from './programs.ts';

const userName = 'postgres';

const lookUp = async (): Promise<ServerUser | undefined> => {
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map((flag) => runProgram('id', [flag, userName], { cwd: '/', timeoutMs: 10_000 })),
  );
  if (uid?.exitCode !== 0 || gid?.exitCode !== 0) return undefined;
  return { uid: Number(uid.output), gid: Number(gid.output) };
};

/**
 * The user that the server must run as: undefined (ourselves) unless we are root, which Postgres refuses;
 * then the system user `postgres`, made if there is none. Idempotent.
 *
 * @throws UserError `embedded_as_root` where that user can't be made
 */
export const findServerUser = async (): Promise<ServerUser | undefined> => {
  if (process.getuid?.() !== 0) return undefined;
  const before = await lookUp();
  if (before) return before;
  const options = { cwd: '/', timeoutMs: 20_000 };
  const group = await runProgram('groupadd', ['--system', '--force', userName], options);
  const user = await runProgram(
    'useradd',
    ['--system', '--gid', userName, '--no-create-home', '--shell', '/usr/sbin/nologin', userName],
    options,
  );
  // Another process may have made it meanwhile: what counts is that it is there.
  const after = await lookUp();
  if (after) return after;
  throw new UserError(
    'embedded_as_root',
    `Postgres does not run as root, and the system user "${userName}" could not be made (${[group.output, user.output].filter(Boolean).join('; ')}). Start Cartwright as an ordinary user, or set DATABASE_URL to a Postgres of your own.`,
  );
};
