import { setFlagsFromString } from 'node:v8';
import type { Command } from 'commander';
import type { Config } from '../config/config.ts';
import { loadForCommand } from '../config/in-use.ts';
import { loadConfig } from '../config/load-config.ts';
import { messageOf } from '../errors.ts';
import { explainFileError } from '../file-access.ts';
import { isLostConnection } from '../ledger/lost-connection.ts';
import { createLogger, type Logger } from '../logger.ts';
import type { Runtime, RuntimeOptions } from '../worker/open-runtime.ts';
import { type Ended, exitCodeOf, exitCodes, isForPeople } from './exit-codes.ts';
import { badOption } from './option-text.ts';
import { showTime } from './output/show-text.ts';
import { createTerminal, type Terminal } from './output/terminal.ts';
import { forSandbox, inSandboxWords } from './sandbox-words.ts';
import { listenForStop, type StopSignals } from './stop-signals.ts';
import { catchUncaughtErrors } from './uncaught-errors.ts';
import { waitForServers } from './wait-for-servers.ts';

/** The options that every command has. */
export interface GlobalOptions {
  config?: string;
  sandbox?: boolean;
  json?: boolean;
  verbose?: boolean;
  color: boolean;
}

/** The context of a command before the configuration is read. */
export interface ShellContext {
  terminal: Terminal;
  signals: StopSignals;
  verbose: boolean;
  /** Registers a cleanup for the end of the command, including after an error; run in reverse order. */
  atEnd(stop: () => Promise<void> | void): void;
  /** Sets how an unhandled error is reported, and how long the command may take to stop after one. */
  onUncaught(report: (thrown: unknown) => void, deadlineMs: number): void;
  /** Sets how long the command waits for running jobs when it stops, for the message at Ctrl-C. */
  setDrain(drainMs: number): void;
}

/** Time for closing connections and stopping the built-in Postgres, after the running jobs. */
const closingMs = 10_000;

export interface CommandContext extends ShellContext {
  config: Config;
  /** Reads the configuration again. Throws as at the start. */
  reloadConfig(): Config;
  logger: Logger;
  /** Opens the runtime, which is stopped when the command ends. By default it creates no account's folder. */
  open(options?: Pick<RuntimeOptions, 'onImportProgress' | 'places' | 'mayCreateFolder'>): Promise<Runtime>;
}

/** `service`: runs until stopped, and writes a log. `task`: ends after its work, and logs only errors. */
export type CommandKind = 'service' | 'task';

type Action = (...given: unknown[]) => Promise<void>;

const explainThrown = (thrown: unknown, verbose: boolean): string => {
  const message = messageOf(thrown);
  if (verbose && thrown instanceof Error) return thrown.stack ?? message;
  if (isForPeople(thrown)) return message;
  if (isLostConnection(thrown)) {
    const inner = (thrown as { errors?: Error[] }).errors?.[0];
    return `Lost the connection to a server: ${message || messageOf(inner)}. Finished work is saved in the ledger. Start the server and run the command again.`;
  }
  const fileError = explainFileError(thrown);
  return fileError === undefined
    ? `Unexpected error: ${message} (--verbose shows the stack trace)`
    : `${fileError}. Fix this, or choose another folder with dataFolder or accounts.NAME.folder.`;
};

const noteThrown = (terminal: Terminal, thrown: unknown, verbose: boolean): void => {
  const text = `${terminal.paint('red', 'cartwright:')} ${explainThrown(thrown, verbose)}`;
  // A stack trace has lines of its own.
  terminal.note(text.includes('\n') ? text : terminal.wrap(text));
};

/** Reports the error that stopped a command, as text and as JSON. */
const sayThrown = (terminal: Terminal, thrown: unknown, verbose: boolean): void => {
  const code = (thrown as { code?: unknown }).code;
  terminal.answer({
    error: { code: typeof code === 'string' ? code : 'defect', message: messageOf(thrown) },
  });
  noteThrown(terminal, thrown, verbose);
};

/**
 * Wraps a command as a commander action: handles Ctrl-C, reports errors, stops what the command started, and sets the
 * exit code.
 */
export const runInShell =
  <O>(run: (context: ShellContext, args: string[], options: O & GlobalOptions) => Ended): Action =>
  async (...given) => {
    const command = given.at(-1) as Command;
    const options = command.optsWithGlobals<GlobalOptions & O>();
    const verbose = options.verbose === true;
    const plain = createTerminal({ json: options.json === true, colour: options.color });
    const terminal = options.sandbox ? inSandboxWords(plain) : plain;
    const closers: (() => Promise<void> | void)[] = [];
    let drainMs: number | undefined;
    const signals = listenForStop(() => {
      const jobs = drainMs === undefined ? '' : `: finishing running jobs (up to ${drainMs / 1000} s)`;
      terminal.note(`Shutting down${jobs}. Press Ctrl-C again to quit immediately.`);
    });
    let onUncaught = {
      report: (thrown: unknown) => noteThrown(terminal, thrown, verbose),
      deadlineMs: closingMs,
    };
    const uncaught = catchUncaughtErrors({
      report: (thrown) => onUncaught.report(thrown),
      deadlineMs: () => onUncaught.deadlineMs,
      stop: signals.request,
    });
    try {
      const context: ShellContext = {
        terminal,
        signals,
        verbose,
        onUncaught: (report, deadlineMs) => {
          onUncaught = { report, deadlineMs };
        },
        setDrain: (ms) => {
          drainMs = ms;
        },
        atEnd: (stop: () => Promise<void> | void) => void closers.push(stop),
      };
      process.exitCode = exitCodes[(await run(context, command.args, options)) ?? 'fine'].code;
    } catch (thrown) {
      sayThrown(terminal, thrown, verbose);
      process.exitCode = exitCodes[exitCodeOf(thrown)].code;
    } finally {
      for (const close of closers.reverse()) {
        try {
          await close();
        } catch (thrown) {
          terminal.note(`cartwright: Error while shutting down: ${messageOf(thrown)}`);
        }
      }
      signals.release();
      uncaught.release();
      if (uncaught.isUsed()) process.exitCode = exitCodes.defect.code;
    }
  };

// By default, V8 lets the heap of a busy process grow to four times the memory in use, which looks like a leak for hours.
const steadyHeap = '--heap-growing-percent=50';

const levelFor = (kind: CommandKind, config: Config, verbose: boolean): string => {
  if (verbose) return 'debug';
  return kind === 'service' || config.log.level === 'silent' ? config.log.level : 'error';
};

const contextOf = (
  kind: CommandKind,
  shell: ShellContext,
  read: Pick<CommandContext, 'config' | 'reloadConfig' | 'logger'>,
): CommandContext => {
  const { config, logger } = read;
  const open: CommandContext['open'] = async (more = {}) => {
    // Loading it takes half of a command's start-up time, and commands that only read do not need it.
    const { openRuntime } = await import('../worker/open-runtime.ts');
    // A task logs errors only, so messages about waiting go to the terminal.
    const tell = kind === 'task' ? shell.terminal.note : undefined;
    const runtime = await waitForServers(
      () => openRuntime({ config, logger, tell, mayCreateFolder: () => false, ...more }),
      {
        // A person at a terminal gets the error at once.
        patienceMs: kind === 'service' ? config.worker.startPatienceMs : 0,
        signals: shell.signals,
        tell: (sentence) => logger.warn({ code: 'waiting_for_server' }, sentence),
      },
    );
    shell.setDrain(config.worker.drainMs);
    shell.atEnd(() => runtime.stop(config.worker.drainMs));
    return runtime;
  };
  return { ...shell, ...read, open };
};

/** The context of a task, for a command that wrote the configuration itself. */
export const taskContext = (shell: ShellContext, config: Config): CommandContext =>
  contextOf('task', shell, {
    config,
    reloadConfig: () => config,
    logger: createLogger({ level: levelFor('task', config, shell.verbose), readable: true }),
  });

/**
 * Like `runInShell`, for a command that needs the configuration.
 *
 * @param more.whileBroken true: if the file is broken, the command uses the version that a process last read
 */
export const runCommand = <O>(
  kind: CommandKind,
  run: (context: CommandContext, args: string[], options: O) => Ended,
  { whileBroken = false }: { whileBroken?: boolean } = {},
): Action =>
  runInShell<O>(async (shell, args, options) => {
    const { config: file, demo = false } = options as typeof options & { demo?: boolean };
    const sandbox = options.sandbox ? { fast: demo } : undefined;
    // Answers of a remote console would look like the sandbox's.
    if (sandbox && (options as { url?: string }).url !== undefined)
      throw badOption('--sandbox cannot be combined with --url. Leave one of them out.');
    const config = loadForCommand({ file, sandbox }, { whileBroken });
    const reloadConfig = () => loadConfig({ file, sandbox, before: config });
    const format = process.stderr.isTTY ? 'readable' : 'json';
    const logger = createLogger({
      level: levelFor(kind, config, shell.verbose),
      readable: kind === 'task' || format === 'readable',
      words: config.isSandbox ? forSandbox : undefined,
    });
    if (config.isSandbox && kind === 'task')
      shell.terminal.note('Sandbox: no order here is real, and their numbers begin with SANDBOX.');
    if (config.instead) {
      shell.terminal.note(
        shell.terminal.wrap(
          `The configuration file is broken; \`cartwright doctor\` names its mistakes. Instead, this uses what a process last read from it, at ${showTime(config.instead.since)}.`,
        ),
      );
    }
    for (const sentence of config.ignored) {
      if (kind === 'service') logger.warn({ code: 'setting_ignored' }, sentence);
      else shell.terminal.note(sentence);
    }
    if (kind === 'service') {
      setFlagsFromString(steadyHeap);
      shell.onUncaught(
        (err) => logger.fatal({ err }, 'unexpected error; shutting down with exit code 4 to be restarted'),
        config.worker.drainMs + closingMs,
      );
    }
    return run(contextOf(kind, shell, { config, reloadConfig, logger }), args, options);
  });
