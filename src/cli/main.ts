#!/usr/bin/env node
import { CommanderError } from 'commander';
import { buildProgram } from './build-program.ts';
import { exitCodes } from './exit-codes.ts';

/** A handle that a library left open must not keep the process alive for longer. */
const lingerMs = 3000;

// The reader of a pipe may close it early: `cartwright status | head -1`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

try {
  // An option before the command may have a value that looks like one.
  await (await buildProgram(process.argv[2])).parseAsync();
} catch (thrown) {
  // Commander has already printed its message or the help.
  if (!(thrown instanceof CommanderError)) throw thrown;
  process.exitCode = thrown.exitCode === 0 ? exitCodes.fine.code : exitCodes.usage.code;
}
setTimeout(() => process.exit(), lingerMs).unref();
