import type { FilesAnswer } from '../../api-contract/search.ts';
import type { ProblemsAnswer, TodayAnswer } from '../../api-contract/today.ts';
import type { ExitCode } from '../exit-codes.ts';
import { sayWhereItIs } from '../output/looked-in-files.ts';
import { drawPurchaseOrders } from '../output/purchase-order.ts';
import { count, showText } from '../output/show-text.ts';
import { drawTable, right, wrapping } from '../output/table.ts';
import { sayWrapped, type Terminal } from '../output/terminal.ts';
import { assertKnown } from './assert-known.ts';
import { callConsole, type RemoteConsole } from './call-console.ts';
import { findPurchaseOrders } from './find-purchase-orders.ts';

const showPurchaseOrder = async (
  terminal: Terminal,
  remote: RemoteConsole,
  poNumber: string,
  account: string | undefined,
): Promise<ExitCode> => {
  const details = await findPurchaseOrders(remote, poNumber, account);
  if (details.length === 0) {
    await assertKnown(remote, { account });
    const files = await remote.get<FilesAnswer>('/search/files', { po: poNumber });
    const found = files.found.filter((one) => one.account === (account ?? one.account));
    return sayWhereItIs(terminal, poNumber, { ...files, found });
  }
  terminal.answer({ purchaseOrders: details });
  terminal.say(drawPurchaseOrders(terminal, details));
  return 'fine';
};

/** The same problems as without `--url`, with the same exit code. */
const checkRemote = async (
  terminal: Terminal,
  remote: RemoteConsole,
  account: string | undefined,
): Promise<ExitCode> => {
  const { healthy, problems } = await remote.get<ProblemsAnswer>('/problems', { account });
  terminal.answer({ healthy, problems });
  for (const { message } of problems) sayWrapped(terminal, showText(message));
  if (healthy) terminal.say('Healthy.');
  return healthy ? 'fine' : 'unhealthy';
};

/** `cartwright status --url`: the content of the console's page Today, or the state of one PO. */
export const remoteStatus = async (
  terminal: Terminal,
  url: string,
  {
    poNumber,
    account,
    check,
  }: { poNumber: string | undefined; account: string | undefined; check: boolean | undefined },
): Promise<ExitCode> => {
  const remote = callConsole(url);
  if (poNumber !== undefined) return showPurchaseOrder(terminal, remote, poNumber, account);
  if (check) return checkRemote(terminal, remote, account);
  const today = await remote.get<TodayAnswer>('/today', { account });
  terminal.answer(today);
  // A sentence of the console may take two lines.
  for (const line of today.sentence.split('\n')) terminal.say(showText(line));
  for (const { message } of today.problems) sayWrapped(terminal, showText(message));
  if (today.held.length > 0) {
    terminal.say(
      drawTable(
        terminal,
        ['Account', right('Held POs'), wrapping('Reason')],
        today.held.map((group) => [
          group.account,
          `${group.count.count}${group.count.more ? '+' : ''}`,
          `${group.reasonCode}: ${group.meaning} ${group.advice}`,
        ]),
      ),
    );
  }
  if (today.workers > 0) terminal.say(`${count(today.workers, 'worker')} running.`);
  return 'fine';
};
