import { changesAnswer, changesQuery } from '../../api-contract/changes.ts';
import { type FeedPosition, feedPositionAt, readFeed } from '../../ledger/feed.ts';
import { changeKinds, toCloudEvent } from '../../sync/change.ts';
import type { ConsoleApp, ConsoleDeps } from '../console-app.ts';
import { chosenAccounts } from '../known-accounts.ts';
import { accountsOf } from '../person.ts';
import { ConsoleProblem } from '../problems.ts';
import { routesOf } from './routes-of.ts';

const { view } = routesOf('Changes');

const cursorOf = ({ era, position }: FeedPosition): string =>
  Buffer.from(`${era}.${position}`).toString('base64url');

/** @throws ConsoleProblem `invalid` for text that is no cursor of the feed */
const positionOf = (cursor: string): FeedPosition => {
  const [, era, position] =
    /^([0-9a-f-]{36})\.(\d{1,18})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (era === undefined || position === undefined)
    throw new ConsoleProblem('invalid', '`after` is not a cursor that this feed gave.');
  return { era, position };
};

const whyAnew = {
  restored:
    'The ledger was restored from a backup, so this cursor does not fit it any more. Keep the cursor in `start`, read what you need anew, then go on with that cursor.',
  too_old:
    'Changes behind this cursor are older than 30 days and not kept any more. Keep the cursor in `start`, read what you need anew, then go on with that cursor.',
};

/** Adds the feed of changes for programs. */
export const addChangeRoutes = (app: ConsoleApp, deps: ConsoleDeps): void => {
  const { pool } = deps;
  app.get(
    '/changes',
    view('Every change of purchase orders and orders, in an order that skips none', changesAnswer, {
      description: `For programs: any number of them may read, each at its own pace. Answers 410 with the member \`start\` where a program has to read anew. The types are ${Object.entries(
        changeKinds,
      )
        .map(([kind, meaning]) => `\`cartwright.${kind}\` (${meaning.replace(/\.$/, '')})`)
        .join(', ')}.`,
      querystring: changesQuery,
    }),
    async (request) => {
      const { after, since, account, limit } = request.query;
      if (after !== undefined && since !== undefined)
        throw new ConsoleProblem('invalid', 'Give `after` or `since`, not both.');
      const accounts =
        account === undefined ? accountsOf(request) : await chosenAccounts(deps, request, account);
      const from =
        after !== undefined
          ? positionOf(after)
          : since === undefined
            ? undefined
            : await feedPositionAt(pool, new Date(since));
      const page = await readFeed(pool, from, accounts, limit);
      if (page.kind === 'read_anew')
        throw new ConsoleProblem('read_anew', whyAnew[page.why], { more: { start: cursorOf(page.start) } });
      return {
        changes: page.changes.map((change) => toCloudEvent(change, page.era)),
        next: cursorOf(page.next),
        more: page.more,
      };
    },
  );
};
