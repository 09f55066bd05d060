import type { Command } from 'commander';
import { configJsonSchema } from '../../config/json-schema.ts';
import { addPrintCommand } from '../print-document.ts';

export const addConfigCommand = (program: Command): void => {
  const config = program
    .command('config')
    .description('Says what the configuration file may contain. `cartwright doctor` shows what it contains.')
    .addHelpText('after', '\nExample:\n  cartwright config schema --out cartwright.schema.json');
  addPrintCommand(config, {
    name: 'schema',
    summary: 'print the JSON schema of cartwright.yaml',
    description:
      'Prints the JSON schema of cartwright.yaml. With it, editors complete its settings, explain them and mark mistakes.',
    examples: `
Examples:
  cartwright config schema --out cartwright.schema.json

Most editors use it if this is the first line of cartwright.yaml:
  # yaml-language-server: $schema=cartwright.schema.json`,
    make: configJsonSchema,
  });
};
