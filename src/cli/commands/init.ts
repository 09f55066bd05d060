import { existsSync, lstatSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, extname, join, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { configJsonSchema } from '../../config/json-schema.ts';
import { loadConfig, newAccount, readVariable } from '../../config/load-config.ts';
import { messageOf, UserError } from '../../errors.ts';
import { makeAccountFolders } from '../../intake/inbox/account-folders.ts';
import { shellWord } from '../../shell-word.ts';
import { type Ask, canAsk, openQuestions } from '../ask-person.ts';
import { assertReadable } from '../assert-readable.ts';
import { checkAccountService } from '../doctor/check-account-service.ts';
import { answersOf, askAnswers, askToGoOn, type InitOptions } from '../init/ask-answers.ts';
import { lookAtFirstFile } from '../init/look-at-first-file.ts';
import { type InitAnswers, readAnswers, signInKinds, writeSettings } from '../init/new-settings.ts';
import { writeNewFile } from '../new-file.ts';
import { drawFinding } from '../output/doctor.ts';
import { showText } from '../output/show-text.ts';
import { sayWrapped } from '../output/terminal.ts';
import { type GlobalOptions, runInShell, type ShellContext, taskContext } from '../run-command.ts';
import { inSandboxWords } from '../sandbox-words.ts';

const schemaName = 'cartwright.schema.json';

const refuseExisting = (path: string): void => {
  // lstat also detects a dangling link.
  if (!lstatSync(path, { throwIfNoEntry: false })) return;
  throw new UserError(
    'file_exists',
    `${path} already exists, so nothing was changed. \`cartwright doctor\` checks it; --config names another file to write.`,
  );
};

const endings = new Set(['.csv', '.xlsx', '.xls', '.ods', '.xlsb', '.xlsm']);

/** The purchase file of the current folder, if there is exactly one. */
const fileHere = async (): Promise<string | undefined> => {
  const found = await readdir('.', { withFileTypes: true }).catch(() => []);
  const files = found.filter((one) => one.isFile() && endings.has(extname(one.name).toLowerCase()));
  return files.length === 1 ? files[0]!.name : undefined;
};

/** A purchase file that can be read; undefined: none. */
const askFile = async (ask: Ask, tell: (line: string) => void): Promise<string | undefined> => {
  const here = await fileHere();
  for (;;) {
    const file =
      (await ask(
        here === undefined
          ? 'A first purchase file to order; empty: none: '
          : `A first purchase file to order, or - for none [${showText(here)}]: `,
      )) || here;
    if (file === undefined || file === '-') return undefined;
    const why = await assertReadable(file).then(() => undefined, messageOf);
    if (why === undefined) return file;
    tell(why);
  }
};

/** Asks, or uses the options, and checks the service; undefined: the person declined to continue. */
const agree = async (
  { terminal }: ShellContext,
  options: InitOptions,
  asked: { ask: Ask } | undefined,
): Promise<{ answers: InitAnswers; healthy: boolean; file: string | undefined } | undefined> => {
  const answers = asked ? await askAnswers(asked.ask, terminal.note, options) : await answersOf(options);
  const read = readAnswers(answers);
  const hasService = 'settings' in read && read.settings.accounts[answers.name]?.baseUrl !== undefined;
  const findings = hasService ? await checkAccountService(newAccount(answers.name, read.settings)) : [];
  for (const finding of findings) terminal.note(drawFinding(terminal, finding));
  const healthy = findings.every(({ level }) => level !== 'problem');
  if (!healthy && asked && !(await askToGoOn(asked.ask))) return undefined;
  const file = options.file ?? (asked && (await askFile(asked.ask, terminal.note)));
  return { answers, healthy, file };
};

export const addInitCommand = (program: Command): void => {
  program
    .command('init')
    .description(
      'Asks for an account, the address of its service and who gets messages, checks each answer, and writes cartwright.yaml with comments, its schema for editors, and the folders. Without a terminal it asks nothing and takes the options. An existing configuration is never changed.',
    )
    .option('--name <name>', 'name of the account (default: default)')
    .option('--base-url <address>', 'address of its dealer order service (default: a sandbox first)')
    .option('--sign-in <kind>', `how the service knows it: ${signInKinds.join(', ')} (default: none)`)
    .option('--user <name>', 'user, for basic')
    .option('--header <name>', 'name of the header, for header')
    .option('--secret-env <variable>', 'environment variable that holds the secret (default: SECRET_NAME)')
    .option('--time-zone <zone>', 'time zone of its schedules (default: that of this machine)')
    .option('--messages-to <address>', 'e-mail address for messages')
    .option('--mail-server <host>', 'server that sends them (default: localhost)')
    .option('--messages-from <address>', 'their sender (default: the same address)')
    .option('--file <file>', 'a first purchase file to look at')
    .addHelpText(
      'after',
      `
Examples:
  cartwright init
  cartwright init --name north --file orders.csv
  cartwright init --base-url https://orders.example.com --sign-in bearer`,
    )
    .action(
      runInShell<InitOptions & Pick<GlobalOptions, 'config'>>(async (shell, _args, options) => {
        const { terminal } = shell;
        const path = resolve(options.config ?? readVariable('CARTWRIGHT_CONFIG') ?? 'cartwright.yaml');
        refuseExisting(path);
        if (options.file !== undefined) await assertReadable(options.file);
        const questions = canAsk(terminal) ? openQuestions() : undefined;
        shell.atEnd(() => questions?.close());
        const agreed = await agree(shell, options, questions);
        if (agreed === undefined) {
          terminal.answer({ file: null });
          terminal.say('Nothing was written.');
          return 'notAllDone';
        }
        const { answers, healthy, file } = agreed;
        const folder = dirname(path);
        await mkdir(folder, { recursive: true });
        const schema = join(folder, schemaName);
        const hasSchema = existsSync(schema);
        if (!hasSchema) await writeNewFile(schema, `${JSON.stringify(configJsonSchema(), null, 2)}\n`);
        await writeNewFile(path, writeSettings(answers, schemaName));
        const made = async () => {
          const loaded = loadConfig({ file: path });
          await makeAccountFolders(loaded.accounts[0]!.folder);
          return loaded;
        };
        // Remove the file that it wrote, so that the command can be repeated.
        const config = await made().catch(async (error: unknown) => {
          for (const written of [path, ...(hasSchema ? [] : [schema])]) await rm(written, { force: true });
          throw error;
        });
        const isSandbox = answers.baseUrl === undefined;
        const used = isSandbox ? loadConfig({ file: path, sandbox: {} }) : config;
        const { folder: accountFolder } = used.accounts[0]!;
        if (isSandbox) await makeAccountFolders(accountFolder);
        const inbox = join(accountFolder, 'inbox');
        const withConfig = options.config === undefined ? '' : ` --config ${shellWord(options.config)}`;
        const next = `cartwright up${withConfig}${isSandbox ? ' --sandbox' : ''}`;
        terminal.answer({ file: path, schema, inbox, healthy, next });
        sayWrapped(
          terminal,
          `Wrote ${path} and the folders of the account.${hasSchema ? ` The ${schemaName} that was there is kept.` : ''}`,
        );
        let looked = { waits: false, isInInbox: false };
        if (file !== undefined) {
          // Suppress its JSON, which would be a second value.
          const quiet = terminal.json ? { ...terminal, answer: () => {} } : terminal;
          const context = taskContext(
            { ...shell, terminal: isSandbox ? inSandboxWords(quiet) : quiet },
            used,
          );
          looked = await lookAtFirstFile(context, file, answers.name, questions);
        }
        if (looked.isInInbox)
          terminal.say(`A copy is in the inbox of the sandbox. This orders it:\n  ${next}`);
        else
          terminal.say(
            [
              ...(file === undefined ? [''] : []),
              'Next:',
              ...(file !== undefined && looked.waits
                ? [
                    `  cartwright map ${shellWord(file)} --write${withConfig}${isSandbox ? ' --sandbox' : ''}`,
                    '      asks what its columns are, once for all such files',
                    `  cp ${shellWord(file)} ${shellWord(relative('.', inbox) || inbox)}/`,
                  ]
                : []),
              `  ${next}`,
              `      picks up the files that are put into ${relative('.', inbox) || inbox}${isSandbox ? ';' : ''}`,
              ...(isSandbox ? ['      with --demo it plays a day with sample files'] : []),
              `  cartwright doctor${withConfig}`,
              '      says what is still missing',
            ].join('\n'),
          );
        return healthy && !looked.waits ? 'fine' : 'notAllDone';
      }),
    );
};
