import { extname } from 'node:path';
import type { Command } from 'commander';
import { UserError } from '../../errors.ts';
import { makeTemplate, type TemplateFormat } from '../../template/make-template.ts';
import { chooseAccount } from '../choose-account.ts';
import { writeNewFile } from '../new-file.ts';
import { sayWrapped } from '../output/terminal.ts';
import { runCommand } from '../run-command.ts';

interface TemplateOptions {
  account?: string;
  out?: string;
  csv?: boolean;
}

/** @throws UserError `format_unclear` if the file name indicates another format */
const formatOf = ({ out, csv }: TemplateOptions): TemplateFormat => {
  const ending = extname(out ?? '').toLowerCase();
  const format = csv || (csv === undefined && ending === '.csv') ? 'csv' : 'xlsx';
  if (ending !== '' && ending !== `.${format}`)
    throw new UserError(
      'format_unclear',
      `The name ${out} does not fit a template in the format ${format}. Choose a name that ends in .xlsx, or in .csv for a CSV file.`,
    );
  return format;
};

export const addTemplateCommand = (program: Command): void => {
  program
    .command('template')
    .description(
      'Writes a workbook to be filled in with purchase orders: the columns that the account uses, with names that are read without a mapping, drop-downs for codes, and a sheet that explains it. It contains no order. An existing file is not overwritten. No database is needed.',
    )
    .option('--account <name>', 'account for which the template is')
    .option('--out <file>', 'file to write (default: ACCOUNT-template.xlsx)')
    .option('--csv', 'write a CSV file, which has only the header')
    .addHelpText(
      'after',
      `
Examples:
  cartwright template
  cartwright template --account north --out orders.xlsx
  cartwright template --account north --csv`,
    )
    .action(
      runCommand<TemplateOptions>('task', async ({ config, terminal }, _args, options) => {
        const account = chooseAccount(config, options.account);
        const format = formatOf(options);
        const template = await makeTemplate(account, format);
        if (template.kind === 'not_possible') throw new UserError('template_not_possible', template.why);
        const { fileName, version, headers, bytes } = template;
        const file = options.out ?? fileName;
        await writeNewFile(file, bytes, ', and may hold orders');
        terminal.answer({ account: account.name, file, format, version, columns: headers });
        sayWrapped(
          terminal,
          `Wrote ${file}: ${headers.length} columns for account ${account.name}, template version ${version}.`,
        );
        if (format === 'csv')
          sayWrapped(
            terminal,
            'Spreadsheet programs remove zeros at the beginning of numbers in a CSV file; the workbook keeps them.',
          );
      }),
    );
};
