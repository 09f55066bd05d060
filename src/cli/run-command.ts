import type { Command } from 'commander';
import { loadConfig } from '../config.ts';
import type { Config } from '../config-schema.ts';
import { messageOf } from '../errors.ts';
import { createLogger, type Logger } from '../logger.ts';
import { type ExitCode, exitCodeOf, exitCodes, isForPeople, isLostConnection } from './exit-codes.ts';
import { handleUncaught } from './last-resort.ts';
import type { Runtime } from './open-runtime.ts';
import { createTerminal, type Terminal } from './output/terminal.ts';
import { listenForStop, type StopSignals } from './stop-signals.ts';

/** The options that every command has. */
export interface GlobalOptions {
  config?: string;
  json?: boolean;
  verbose?: boolean;
  color: boolean;
}

/** What a command has before it reads a configuration. */
export interface ShellContext {
  terminal: Terminal;
  signals: StopSignals;
  verbose: boolean;
  /** Has something stopped when the command ends, whatever it ends with; the last first. */
  atEnd(stop: () => Promise<void> | void): void;
  /** How an error that nothing handles is reported, and how long the command may take to stop after one. */
  onUncaught(report: (thrown: unknown) => void, deadlineMs: number): void;
}

/** For what has no drain time of its own, and beyond it: closing connections and the built-in Postgres. */
const closingMs = 10_000;

export interface CommandContext extends ShellContext {
  config: Config;
  logger: Logger;
  /** Opens the runtime; it is stopped when the command ends. */
  open(options?: { onImportProgress?: (importId: string, rows: number) => void }): Promise<Runtime>;
}

/** `service`: runs until it is told to stop, and its log is what it shows. `task`: shows errors only. */
export type CommandKind = 'service' | 'task';

type Action = (...given: unknown[]) => Promise<void>;

const explainThrown = (thrown: unknown, verbose: boolean): string => {
  const message = messageOf(thrown);
  if (verbose && thrown instanceof Error) return thrown.stack ?? message;
  if (isForPeople(thrown)) return message;
  if (isLostConnection(thrown)) {
    const inner = (thrown as { errors?: Error[] }).errors?.[0];
    return `A server went away: ${message || messageOf(inner)}. What was done stands in the ledger; start the server and run the command again.`;
  }
  return `${message} This should not happen; --verbose shows where.`;
};

const noteThrown = (terminal: Terminal, thrown: unknown, verbose: boolean): void =>
  terminal.note(`${terminal.paint('red', 'cartwright:')} ${explainThrown(thrown, verbose)}`);

/** Says what stopped a command, as one sentence or as JSON. */
const sayThrown = (terminal: Terminal, thrown: unknown, verbose: boolean): void => {
  const code = (thrown as { code?: unknown }).code;
  terminal.answer({
    error: { code: typeof code === 'string' ? code : 'defect', message: messageOf(thrown) },
  });
  noteThrown(terminal, thrown, verbose);
};

/**
 * Makes a commander action of a command: listens for Ctrl-C, shows what is thrown as one sentence, stops
 * whatever was begun, and sets the exit code.
 */
export const runInShell =
  <O>(
    run: (context: ShellContext, args: string[], options: O & GlobalOptions) => Promise<ExitCode>,
  ): Action =>
  async (...given) => {
    const command = given.at(-1) as Command;
    const options = command.optsWithGlobals<GlobalOptions & O>();
    const verbose = options.verbose === true;
    const terminal = createTerminal({ json: options.json === true, colour: options.color });
    const closers: (() => Promise<void> | void)[] = [];
    const signals = listenForStop(() =>
      terminal.note('Stopping: what runs is brought to its end. Ctrl-C again leaves at once.'),
    );
    let uncaught = {
      report: (thrown: unknown) => noteThrown(terminal, thrown, verbose),
      deadlineMs: closingMs,
    };
    const lastResort = handleUncaught({
      report: (thrown) => uncaught.report(thrown),
      deadlineMs: () => uncaught.deadlineMs,
      stop: signals.request,
    });
    try {
      const context: ShellContext = {
        terminal,
        signals,
        verbose,
        onUncaught: (report, deadlineMs) => {
          uncaught = { report, deadlineMs };
        },
        atEnd: (stop: () => Promise<void> | void) => void closers.push(stop),
      };
      process.exitCode = await run(context, command.args, options);
    } catch (thrown) {
      sayThrown(terminal, thrown, verbose);
      process.exitCode = exitCodeOf(thrown);
    } finally {
      for (const close of closers.reverse()) {
        try {
          await close();
        } catch (thrown) {
          terminal.note(`cartwright: while ending: ${messageOf(thrown)}`);
        }
      }
      signals.release();
      lastResort.release();
      if (lastResort.isUsed()) process.exitCode = exitCodes.defect.code;
    }
  };

const levelFor = (kind: CommandKind, config: Config, verbose: boolean): string => {
  if (verbose) return 'debug';
  return kind === 'service' || config.log.level === 'silent' ? config.log.level : 'error';
};

/** The same for a command that works with the configuration. */
export const runCommand = <O>(
  kind: CommandKind,
  run: (context: CommandContext, args: string[], options: O) => Promise<ExitCode>,
): Action =>
  runInShell<O>(async (shell, args, options) => {
    const config = loadConfig({ file: options.config });
    const format = config.log.format ?? (process.stderr.isTTY ? 'readable' : 'json');
    const logger = createLogger({
      level: levelFor(kind, config, shell.verbose),
      readable: kind === 'task' || format === 'readable',
    });
    if (kind === 'service') {
      shell.onUncaught(
        (err) =>
          logger.fatal({ err }, 'Stopping after an unexpected error; the exit code asks for a restart'),
        config.worker.drain + closingMs,
      );
    }
    const open: CommandContext['open'] = async (more = {}) => {
      // Half of the start of a command; those that only read the ledger do without.
      const { openRuntime } = await import('./open-runtime.ts');
      // A task logs errors only: what it waits for is said beside its answer.
      const tell = kind === 'task' ? shell.terminal.note : undefined;
      const runtime = await openRuntime({ config, logger, tell, ...more });
      shell.atEnd(() => runtime.stop(config.worker.drain));
      return runtime;
    };
    return run({ ...shell, config, logger, open }, args, options);
  });
