import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildProgram } from '../../src/cli/build-program.ts';
import { findServerPort } from '../../src/embedded/free-port.ts';
import { isWhole } from '../support/whole-proof.ts';
import { changed, listPages, notRun, project, readPage, readSteps, untilStopped } from './pages.ts';

const run = promisify(execFile);

/** Folders that are not in a fresh checkout. */
const notCheckedOut = ['node_modules', 'dist', 'cartwright-data', '.git'];

let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cartwright-stranger-'));
  // As root, Postgres runs as another user, who must be able to enter the folder.
  await chmod(folder, 0o711);
  await cp(project, join(folder, 'checkout'), {
    recursive: true,
    filter: (path) => !notCheckedOut.includes(basename(path)),
  });
  // Not a link to the folder: the compiler writes different paths for files outside a checkout.
  const packages = [join(project, 'node_modules'), join(folder, 'checkout')];
  await run('cp', ['-al', ...packages]).catch(() => run('cp', ['-a', ...packages]));
  await writeFile(join(folder, 'npmrc'), '');
  env = {
    HOME: folder,
    PATH: `${join(folder, 'prefix/bin')}:${process.env.PATH}`,
    npm_config_userconfig: join(folder, 'npmrc'),
    npm_config_prefix: join(folder, 'prefix'),
    npm_config_update_notifier: 'false',
    // No registry at this address, so that a command that downloads something fails.
    npm_config_registry: 'http://127.0.0.1:9/',
  };
});
const started = new Set<ChildProcess>();
afterAll(async () => {
  for (const child of started) if (child.exitCode === null) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

/** The shell of a reader who follows a page: folder and variables carry over from one command to the next. */
const openShell = async (page: string) => {
  const state = join(folder, `${basename(page)}.state`);
  await writeFile(state, `cd '${folder}/checkout'\n`);
  const bash = (script: string, command: string) =>
    spawn('bash', ['-ec', `. "$1"; ${script}`, 'bash', state, command], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  return {
    run: (command: string) => bash('eval "$2"; { export -p; printf "cd %q\\n" "$PWD"; } > "$1"', command),
    /** The command is the process itself, so that a signal reaches nothing else. */
    runUntilStopped: (command: string) => bash('exec $2', command),
    write: async (name: string, content: string | Buffer) => {
      const { stdout } = await run('bash', ['-ec', '. "$1"; pwd', 'bash', state], { env });
      await writeFile(join(stdout.trim(), name), content);
    },
  };
};

/** The exit and the output of a process; `onOutput` gets all output so far. */
const follow = async (child: ChildProcess, onOutput: (output: string) => void = () => undefined) => {
  started.add(child);
  let output = '';
  const hear = (chunk: Buffer) => {
    output += chunk.toString();
    onOutput(output);
  };
  child.stdout!.on('data', hear);
  child.stderr!.on('data', hear);
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { exitCode, output };
};

/** Sends Ctrl-C as soon as the command has printed that Ctrl-C stops it. */
const stopWhenReady = (child: ChildProcess) => {
  let stopped = false;
  return follow(child, (output) => {
    if (stopped || !output.includes('Ctrl-C')) return;
    stopped = true;
    child.kill('SIGINT');
  });
};

const pages = await listPages();

test.each(pages)('the commands of %s work as they are written', { timeout: 300_000 }, async (page) => {
  const shell = await openShell(page);
  for (const step of readSteps(await readPage(page))) {
    if (step.kind === 'file') {
      // A free port for the sandbox: another program of this machine may use the default one.
      await shell.write('cartwright.yaml', `${step.content}service: { port: ${await findServerPort()} }\n`);
      await shell.write('orders.csv', await readFile(join(project, 'samples/northside-week-47.csv')));
      continue;
    }
    const { command } = step;
    if (notRun[command] !== undefined) continue;
    const { exitCode, output } = untilStopped.has(command)
      ? await stopWhenReady(shell.runUntilStopped(command))
      : await follow(shell.run(changed[command]?.run ?? command));
    expect(exitCode, `${command}\n${output}`).toBe(0);
    expect(output).not.toMatch(/npm (?:warn|error)/i);
    const next = /^ {2}(\S.* status --config .*)$/m.exec(output)?.[1];
    if (next !== undefined) expect(await follow(shell.run(next)), next).toMatchObject({ exitCode: 0 });
  }
});

test('the installed command has the help of its commands', { timeout: 300_000 }, async () => {
  const commands = ['', ...(await buildProgram()).commands.map((one) => one.name())];
  for (const command of isWhole ? commands : commands.slice(0, 3)) {
    const { exitCode, output } = await follow(
      spawn('cartwright', [...(command ? [command] : []), '--help'], { env, cwd: folder }),
    );
    expect({ command, exitCode }).toEqual({ command, exitCode: 0 });
    expect(output).toContain(`Usage: cartwright ${command}`.trim());
  }
});

test('the picture of the README shows the demo as it runs now (npm run picture)', {
  timeout: 300_000,
}, async () => {
  const drawn = join(folder, 'demo.svg');
  const { exitCode, output } = await follow(
    spawn('node', [join(folder, 'checkout/scripts/draw-demo.mjs'), drawn], { env }),
  );
  expect(exitCode, output).toBe(0);
  expect(await readFile(drawn, 'utf8')).toBe(await readPage('docs/images/demo.svg'));
});
