#!/usr/bin/env node
import { CommanderError } from 'commander';
import { buildProgram } from './build-program.ts';
import { exitCodes } from './exit-codes.ts';
import { firstHelp } from './first-help.ts';

/** Limits how long a handle left open by a library keeps the process alive. */
const lingerMs = 3000;

// A pipe's reader may close it early: `cartwright status | head -1`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  process.stderr.write(`cartwright: The output cannot be written: ${error.message}.\n`);
  process.exit(exitCodes.defect.code);
});

try {
  if (process.argv.length === 2) {
    process.stdout.write(firstHelp);
    process.exitCode = exitCodes.usage.code;
  } else {
    const [, , first, second] = process.argv;
    // Pass all arguments, because the value of an option before the command may look like a command.
    const program = await buildProgram(process.argv.slice(2));
    // Commander would show the general help.
    if (first === 'help' && second !== undefined && !program.commands.some((one) => one.name() === second))
      program.error(`error: unknown command '${second}'`);
    await program.parseAsync();
  }
} catch (thrown) {
  // Commander has already printed its message or the help.
  if (!(thrown instanceof CommanderError)) throw thrown;
  process.exitCode = thrown.exitCode === 0 ? exitCodes.fine.code : exitCodes.usage.code;
}
setTimeout(() => process.exit(), lingerMs).unref();
