import type { Command } from 'commander';

/**
 * Names a word that is none of the subcommands of a command. If the command also runs without one, commander would report
 * unknown options, or too many arguments.
 */
export const nameUnknownCommand = (command: Command): void => {
  const outputError = (text: string, write: (text: string) => void) => {
    const [word] = command.args;
    const names = command.commands.map((one) => one.name());
    const isCommand = word === undefined || word.startsWith('-') || names.includes(word);
    if (isCommand) return write(text);
    write(`error: '${command.name()}' has no command '${word}'. Its commands are ${names.join(', ')}.\n`);
  };
  // A word that is no subcommand goes to the default one, which reports it.
  for (const one of [command, ...command.commands]) one.configureOutput({ outputError });
};
