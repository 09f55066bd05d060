import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { messageOf, UserError } from '../../errors.ts';
import type { Ask } from '../ask-person.ts';
import { map } from '../commands/map.ts';
import { rehearse } from '../dry-run.ts';
import { count, showText } from '../output/show-text.ts';
import { sayWrapped } from '../output/terminal.ts';
import { putIntoInbox } from '../put-into-inbox.ts';
import type { CommandContext } from '../run-command.ts';

const isNotAnswered = (thrown: unknown): boolean =>
  thrown instanceof UserError && thrown.code === 'not_answered';

/** Agrees on the columns with the person. If this fails, `cartwright map` can do it later; the written configuration is kept. */
const agreeNow = async (context: CommandContext, file: string, account: string, asked: { ask: Ask }) => {
  try {
    await map(context, file, { account, write: true, column: [], set: [] }, asked);
  } catch (thrown) {
    if (!(thrown instanceof UserError)) throw thrown;
    if (!isNotAnswered(thrown)) context.terminal.note(context.terminal.wrap(messageOf(thrown)));
  }
};

/**
 * Shows what would be ordered from a first file. If its meaning is unclear, asks the person now; a sandbox gets a copy into its inbox.
 *
 * @param asked undefined without a terminal: no questions
 * @returns whether its meaning is still unclear, and whether a copy of it is in the inbox
 */
export const lookAtFirstFile = async (
  context: CommandContext,
  file: string,
  accountName: string,
  asked: { ask: Ask } | undefined,
): Promise<{ waits: boolean; isInInbox: boolean }> => {
  const { terminal, config } = context;
  const name = showText(basename(file));
  // This starts the built-in database, which takes seconds.
  if (terminal.live) terminal.note(`Reading ${name} …`);
  let looked = await rehearse(context, [file], accountName);
  if (looked.waits && asked) {
    sayWrapped(terminal, `\nWhat the columns of ${name} mean is agreed once, for all such files.`);
    await agreeNow(context, file, accountName, asked);
    looked = await rehearse(context, [file], accountName);
  }
  // The person has just seen the lines while agreeing.
  const [staged] = looked.results.map((one) => one.staged);
  if (staged?.kind === 'staged' && looked.code === 'fine' && asked)
    terminal.say(
      `${count(staged.counts.ready, 'PO')} with ${count(staged.preview.sums.pieces, 'piece')} would be ordered; nothing is ordered yet.`,
    );
  else if (!looked.waits || !asked) terminal.say(looked.drawn);
  if (staged?.kind !== 'staged' || !asked || !config.isSandbox)
    return { waits: looked.waits, isInInbox: false };
  const { folder } = config.accounts[0]!;
  // Does not replace a file of the same name that is already waiting.
  if (!existsSync(join(folder, 'inbox', basename(file)))) await putIntoInbox(file, folder);
  return { waits: false, isInInbox: true };
};
