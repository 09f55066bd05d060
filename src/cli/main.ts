#!/usr/bin/env node
import { CommanderError } from 'commander';
import { buildProgram } from './build-program.ts';
import { exitCodes } from './exit-codes.ts';

/** Whatever a library has left open must not keep a command from ending. */
const lingerMs = 3000;

// The reader of a pipe may leave early: `cartwright status | head -1`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

try {
  await buildProgram().parseAsync();
} catch (thrown) {
  // Commander has said what is wrong with the command line, or has shown the help that was asked for.
  if (!(thrown instanceof CommanderError)) throw thrown;
  process.exitCode = thrown.exitCode === 0 ? exitCodes.fine.code : exitCodes.usage.code;
}
setTimeout(() => process.exit(), lingerMs).unref();
