import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../src/embedded/free-port.ts';
import type { SftpServer } from '../../src/sources/sftp-settings.ts';

const program = '/usr/sbin/sshd';

export interface TestSshd {
  /** The folder that a session starts in. */
  root: string;
  /** The settings with which a client can sign in. */
  server: SftpServer;
  privateKeyFile: string;
  /** Makes the sessions' user own a file or folder below the root, and returns its path. */
  give(path: string): string;
  /** Limits the size of files that sessions write from now on, like a full disk. Ends the sessions. */
  limitFiles(bytes: number | undefined): Promise<void>;
  /** The fingerprint of its current host key. */
  hostKey(): string;
  /** Changes the server's host key. Ends the sessions. */
  changeHostKey(): Promise<void>;
  /** Ends the server and its sessions. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Also removes its folder. Idempotent. */
  stop(): Promise<void>;
}

// The server ends with the shell's standard input, and so with its parent process, even if that is killed. A write beyond the limit
// fails, instead of ending the session by a signal.
const leashed =
  'trap "" XFSZ; if [ "$1" -gt 0 ]; then ulimit -f "$1"; fi; shift; "$@" </dev/null & server=$!; cat >/dev/null; kill -9 $server; wait $server';

/** A user other than root, because permissions do not apply to root. Undefined: the user of this process. */
const otherUser = (): { name: string; uid: number; gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (option: string) => Number(execFileSync('id', [option, 'www-data'], { encoding: 'utf8' }));
  return { name: 'www-data', uid: idOf('-u'), gid: idOf('-g') };
};

const makeKey = (path: string, type: string, passphrase = ''): void => {
  rmSync(path, { force: true });
  rmSync(`${path}.pub`, { force: true });
  const bits = type === 'rsa' ? ['-b', '2048'] : [];
  execFileSync('ssh-keygen', ['-q', '-t', type, ...bits, '-N', passphrase, '-f', path]);
};

const fingerprintOf = (path: string): string =>
  execFileSync('ssh-keygen', ['-lf', `${path}.pub`], { encoding: 'utf8' }).split(' ')[1]!;

/** All descendants of a process. */
const descendantsOf = (pid: number): number[] => {
  try {
    const children = execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
      .trim()
      .split('\n');
    return children.map(Number).flatMap((child) => [child, ...descendantsOf(child)]);
  } catch {
    return [];
  }
};

const answers = async (port: number): Promise<boolean> => {
  const socket = connect(port, '127.0.0.1');
  try {
    const [first] = (await Promise.race([once(socket, 'data'), sleep(1000).then(() => [''])])) as [unknown];
    return String(first).startsWith('SSH-');
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
};

/**
 * An sshd for the caller alone on loopback, with new host keys, that offers only SFTP. Undefined if the program is not installed,
 * which is an error in CI.
 */
export const startSshd = async ({
  hostKeys = ['ed25519'],
  passphrase,
}: {
  hostKeys?: string[];
  passphrase?: string;
} = {}): Promise<TestSshd | undefined> => {
  if (!existsSync(program)) {
    if (process.env.CI) throw new Error(`${program} is missing; CI must have it`);
    return undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), 'cartwright-sshd-'));
  const other = otherUser();
  const own = (path: string): void => {
    if (other) chownSync(path, other.uid, other.gid);
  };
  const root = join(folder, 'root');
  mkdirSync(root);
  own(folder);
  own(root);
  chmodSync(folder, 0o755);
  const keyFile = (type: string) => join(folder, `host-${type}`);
  const privateKeyFile = join(folder, 'user-key');
  makeKey(privateKeyFile, 'ed25519', passphrase);
  writeFileSync(join(folder, 'authorized_keys'), readFileSync(`${privateKeyFile}.pub`));
  const makeHostKeys = () => {
    for (const type of hostKeys) {
      makeKey(keyFile(type), type);
      own(keyFile(type));
    }
  };
  makeHostKeys();
  const port = await findFreePort();
  const configuration = join(folder, 'sshd_config');
  writeFileSync(
    configuration,
    [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      ...hostKeys.map((type) => `HostKey ${keyFile(type)}`),
      'PidFile none',
      `AuthorizedKeysFile ${join(folder, 'authorized_keys')}`,
      'StrictModes no',
      'UsePAM no',
      'PasswordAuthentication no',
      'KbdInteractiveAuthentication no',
      'MaxStartups 1000',
      'LogLevel ERROR',
      'Subsystem sftp internal-sftp',
      `ForceCommand internal-sftp -d ${root}`,
      '',
    ].join('\n'),
  );
  const user = other?.name ?? userInfo().username;
  const server: SftpServer = {
    host: '127.0.0.1',
    port,
    user,
    hostKeys: [fingerprintOf(keyFile(hostKeys[0]!))],
    auth: { kind: 'key', privateKey: readFileSync(privateKeyFile, 'utf8'), passphrase },
    timeoutMs: 10_000,
  };
  let child: ChildProcess | undefined;
  let blocks = 0;

  const kill = async (): Promise<void> => {
    if (!child) return;
    const exited = once(child, 'exit');
    // Sessions outlive the server that has accepted them.
    const sessions = descendantsOf(child.pid!);
    child.stdin!.end();
    await exited;
    for (const session of sessions) {
      try {
        process.kill(session, 'SIGKILL');
      } catch {
        // The process has already ended.
      }
    }
    child = undefined;
  };
  const start = async (): Promise<void> => {
    await kill();
    child = spawn(
      '/bin/sh',
      ['-c', leashed, 'sh', String(blocks), program, '-D', '-e', '-f', configuration],
      {
        stdio: ['pipe', 'ignore', 'ignore'],
        ...(other ? { uid: other.uid, gid: other.gid } : {}),
      },
    );
    for (let tries = 0; tries < 200; tries += 1) {
      if (await answers(port)) return;
      await sleep(50);
    }
    throw new Error('sshd does not start');
  };
  await start();
  return {
    root,
    server,
    privateKeyFile,
    give: (path) => {
      own(join(root, path));
      return join(root, path);
    },
    limitFiles: async (bytes) => {
      // `ulimit` counts in blocks.
      blocks = bytes === undefined ? 0 : Math.ceil(bytes / 512);
      await start();
    },
    hostKey: () => fingerprintOf(keyFile(hostKeys[0]!)),
    changeHostKey: async () => {
      makeHostKeys();
      await start();
    },
    kill,
    start,
    stop: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
