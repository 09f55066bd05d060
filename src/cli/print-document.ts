import type { Command } from 'commander';
import { writeNewFile } from './new-file.ts';
import { sayWrapped } from './output/terminal.ts';
import { runInShell } from './run-command.ts';

interface PrintedDocument {
  name: string;
  summary: string;
  /** The specific part; the common part (where it is printed, what it does not need) is added. */
  description: string;
  examples: string;
  make(): object | Promise<object>;
}

/** Adds a command that prints a JSON document of this version, or writes it to a new file. */
export const addPrintCommand = (program: Command, document: PrintedDocument): void => {
  const { name, summary, description, examples, make } = document;
  program
    .command(name)
    .summary(summary)
    .description(
      `${description} An existing file is not overwritten. No configuration and no database is needed.`,
    )
    .option('--out <file>', 'write it to this file')
    .addHelpText('after', examples)
    .action(
      runInShell<{ out?: string }>(async ({ terminal }, _args, { out }) => {
        const made = await make();
        const text = JSON.stringify(made, null, 2);
        if (out !== undefined) {
          await writeNewFile(out, `${text}\n`);
          terminal.answer({ file: out });
          sayWrapped(terminal, `Wrote ${out}.`);
        } else {
          terminal.answer(made);
          terminal.say(text);
        }
      }),
    );
};
