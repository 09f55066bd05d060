import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { applyOperatorAction, findActionTargets } from '../../src/ledger/po/operator-actions.ts';
import type { OperatorAction } from '../../src/placing/operator-actions.ts';
import { createRandom } from '../simulation/scheduler.ts';
import { newKind, useQuestions } from './use-questions.ts';

// Dealers send files night after night, which grow, change, spell numbers differently, withdraw POs, and are read late; people answer,
// release, cancel and have files read again; workers order or fail. The judge uses only the files and people's actions, and none of the
// product's own logic. `NIGHTS=500 npx vitest run --project proof test/console/nights.test.ts` tries more.

const desk = useQuestions();

interface Row {
  number: string;
  item: string;
  quantity: string;
  status: string;
}
interface File {
  /** Its position in the order of arrival. */
  at: number;
  importId: string;
  rows: Row[];
  isRead: boolean;
  /** The index of its header, one of two. */
  kind: number;
}
interface Po {
  id: string;
  number: string;
  state: string;
  importId: string;
  /** `S-1x5 S-2x3` */
  lines: string | null;
}

const isOrdered = ({ state }: Po) => state === 'ready' || state === 'ordered';
/** A normal form that is equal for numbers that may be spellings of the same one. */
const plainOf = (number: string) =>
  number
    .toLowerCase()
    .replace(/[ _./#-]+/g, '-')
    .replace(/^-?(po-?)?0*/, '');
const contentOf = ({ number, lines }: Pick<Po, 'number' | 'lines'>) => `${plainOf(number)} ${lines}`;
const linesOf = (rows: readonly Row[]) =>
  rows
    .map(({ item, quantity }) => `${item}x${quantity}`)
    .sort()
    .join(' ');

const spellings = [
  (number: string) => number.toLowerCase(),
  (number: string) => `PO-${number}`,
  (number: string) => `#${number}`,
  (number: string) => number.replace('-', ' '),
  (number: string) => number.replace('-', '_'),
  (number: string) => `0${number}`,
];

/** An account's files with two headers, and the errors in their processing. */
const createNights = (seed: number) => {
  const { pool } = desk.use.deps;
  const { next, chance, pick } = createRandom(seed);
  const below = (count: number) => Math.floor(next() * count);
  const name = `N${seed}Q`;
  const kinds = [newKind(), newKind('Status,More')] as const;
  const files: File[] = [];
  /** POs that a person released unchanged: their IDs and content. */
  const released = new Set<string>();
  const meanings = kinds.map(() => new Map<string, string>([['Open', 'order']]));
  /** The orders in the dealer's system. */
  const orders: Row[][] = [];
  let made = 0;
  const log: string[] = [];
  const wrong: string[] = [];

  const newOrder = (): Row[] => {
    made += 1;
    const number = `${name}-${made}`;
    const rowOf = (_: unknown, at: number) => ({
      number,
      item: `S-${at + 1}`,
      quantity: `${1 + below(5)}`,
      status: 'Open',
    });
    return Array.from({ length: 1 + below(3) }, rowOf);
  };
  const changed = (rows: Row[]): Row[] => {
    const at = below(rows.length);
    const withOne = (change: Partial<Row>) => rows.map((row, n) => (n === at ? { ...row, ...change } : row));
    const answered = meanings.flatMap((of) => [...of.keys()]);
    const spelled = pick(spellings);
    return pick([
      () => withOne({ quantity: `${6 + below(4)}` }),
      () => withOne({ quantity: pick(['0', 'x', '']) }),
      () => withOne({ status: `Void ${seed} ${files.length} ${'abcdefghij'[below(10)]}` }),
      () => withOne({ status: pick(answered) }),
      () => rows.map((row) => ({ ...row, number: spelled(row.number) })),
      () => (rows.length > 1 ? rows.filter((_, n) => n !== at) : rows),
      () => rows.toReversed(),
    ])();
  };

  const listPos = async (): Promise<Po[]> => {
    const { rows } = await pool.query(
      `select p.id, p.po_number as number, p.state, p.import_id as "importId",
         (select string_agg(l.item_sku || 'x' || l.quantity, ' ' order by l.item_sku, l.quantity) from lines l
          where l.import_id = p.import_id and l.po_number = p.po_number) as lines
       from purchase_orders p where p.import_id = any($1) order by p.id`,
      [files.map(({ importId }) => importId)],
    );
    return rows;
  };
  const fileOf = (po: Pick<Po, 'importId'>) => files.find(({ importId }) => importId === po.importId)!;
  const meaningOf = (row: Row, { kind }: File) => meanings[kind]!.get(row.status);
  const wantedOf = (number: string, file: File) =>
    linesOf(file.rows.filter((row) => row.number === number && meaningOf(row, file) !== 'leave_out'));
  /** How often a file says that a number must not be ordered unchanged. */
  const stopsOf = (file: File, plain: string) =>
    file.rows.filter(
      (row) =>
        plainOf(row.number) === plain && (!/^[1-9]/.test(row.quantity) || meaningOf(row, file) !== 'order'),
    ).length;

  const judgeTwice = (ordered: readonly Po[]) => {
    for (const [at, one] of ordered.entries())
      for (const other of ordered.slice(at + 1)) {
        if (released.has(one.id) || released.has(other.id)) continue;
        const isOne = one.number.toLowerCase() === other.number.toLowerCase();
        if (isOne || contentOf(one) === contentOf(other))
          wrong.push(`${one.number} (${one.id}) and ${other.number} (${other.id}) are both ordered`);
      }
  };
  const judgeStops = (ordered: readonly Po[]) => {
    for (const po of ordered) {
      if (po.state === 'ordered' || released.has(po.id) || released.has(contentOf(po))) continue;
      const own = fileOf(po);
      const plain = plainOf(po.number);
      for (const later of files)
        if (later.at > own.at && later.isRead && stopsOf(later, plain) > stopsOf(own, plain))
          wrong.push(
            `${po.number} (${po.id}) of file ${own.at} is ordered, and file ${later.at} says not to`,
          );
    }
  };
  const judgeLines = (ordered: readonly Po[]) => {
    for (const po of ordered) {
      const wanted = wantedOf(po.number, fileOf(po));
      if (wanted !== po.lines && !released.has(po.id))
        wrong.push(`${po.number} (${po.id}) has ${po.lines}, and its file ${wanted}`);
    }
  };
  const judgeRows = async () => {
    const { rows } = await pool.query(
      `select id, (select coalesce(sum(line_count), 0) from purchase_orders where import_id = i.id)::int
           + (select coalesce(sum(line_count), 0) from repeated_purchase_orders where import_id = i.id)::int
           + (select count(distinct row_number) from row_issues where import_id = i.id and code = 'left_out')::int as found
       from imports i where id = any($1) and state = 'read'`,
      [files.map(({ importId }) => importId)],
    );
    for (const { id, found } of rows) {
      const file = fileOf({ importId: id });
      if (found < file.rows.length)
        wrong.push(`file ${file.at} has ${file.rows.length} rows, and ${found} are found`);
    }
  };
  const judge = async () => {
    const ordered = (await listPos()).filter(isOrdered);
    judgeTwice(ordered);
    judgeStops(ordered);
    judgeLines(ordered);
    await judgeRows();
  };
  const judgeRepeated = async (file: File) => {
    const { rows } = await pool.query(
      `select r.po_number as number, p.state, p.import_id as "importId", p.po_number as target, p.id from repeated_purchase_orders r
       join purchase_orders p on p.id = r.purchase_order_id where r.import_id = $1`,
      [file.importId],
    );
    const all = await listPos();
    for (const { number, state, target, id } of rows) {
      log.push(`  ${number} repeats ${target} (${id}) ${state}`);
      if (['cancelled', 'rejected'].includes(state))
        wrong.push(`${number} of file ${file.at} repeats one that is ${state}`);
      if (all.find((po) => po.id === id)?.lines !== wantedOf(number, file))
        wrong.push(`${number} of file ${file.at} repeats ${target} (${id}), which has other lines`);
    }
  };

  const readFile = async (file: File) => {
    await desk.read(file.importId);
    const why = await desk.whyItWaits(file.importId);
    if (why) {
      log.push(`  waits: ${why}`);
      await desk.agree(file.importId);
      // A person who agrees has seen all values.
      for (const { status } of file.rows) meanings[file.kind]!.set(status, 'order');
    }
    const { rows } = await pool.query('select state from imports where id = $1', [file.importId]);
    file.isRead = rows[0].state === 'read';
    log.push(`file ${file.at} is ${rows[0].state}`);
    for (const po of await listPos())
      if (po.importId === file.importId) log.push(`  ${po.number} (${po.id}) ${po.state} ${po.lines}`);
    await judgeRepeated(file);
  };
  const dropFile = async (rows: Row[]): Promise<File> => {
    const at = files.length + 1;
    const kind = chance(0.2) ? 1 : 0;
    const lines = rows.map(
      (row) => `${row.number},${row.item},${row.quantity},,${row.status}${kind ? ',' : ''}`,
    );
    const path = join(desk.rootOf('north'), `dropped ${name} ${at}`);
    await writeFile(path, kinds[kind](...lines));
    const fileName = chance(0.5) ? `${name}.csv` : `${name} ${at}.csv`;
    const { importId } = await desk.open('north').claims.claimCopy(path, { fileName });
    const file = { at, importId, rows, isRead: false, kind };
    files.push(file);
    log.push(`file ${at} (import ${importId}): ${lines.join(' | ')}`);
    return file;
  };

  const act = async (action: OperatorAction, states: readonly string[]) => {
    const all = (await listPos()).filter(({ state }) => states.includes(state));
    if (all.length === 0) return;
    const po = pick(all);
    const { number: poNumber, importId } = po;
    const targets = await findActionTargets(pool, action, { importId, poNumber });
    const results = await applyOperatorAction(pool, action, targets, { who: 'Olga' });
    for (const { id, outcome } of results) {
      log.push(`${action} ${poNumber} (${id}): ${outcome.kind}`);
      if (outcome.kind === 'done' && action !== 'cancel') released.add(id).add(contentOf(po));
    }
    // No worker runs here to delete the cart.
    await pool.query(
      `update purchase_orders set state = 'cancelled', cancelling = false where cancelling and id = any($1)`,
      [results.map(({ id }) => id)],
    );
  };
  const place = async (state: 'ordered' | 'failed') => {
    for (const { id, number } of (await listPos()).filter((po) => po.state === 'ready')) {
      if (chance(0.6)) continue;
      log.push(`${number} (${id}) is ${state}`);
      await pool.query('update purchase_orders set state = $2 where id = $1', [id, state]);
    }
  };
  const answerOne = async () => {
    const open = [];
    for (const file of files) open.push(...(await desk.questionsOf(file.importId)));
    if (open.length === 0) return;
    const one = pick(open);
    const answer = pick(['order', 'leave_out', 'ask'] as const);
    log.push(`answered ${one.value}: ${answer}`);
    meanings[fileOf(one).kind]!.set(one.value, answer);
    await desk.answer(one.id, { answer });
  };
  const readAgain = async () => {
    const read = files.filter(({ isRead }) => isRead);
    if (read.length === 0) return;
    const one = pick(read);
    const begun = await desk.call('POST', `/imports/${one.importId}/reread`);
    if (begun.statusCode >= 300) return;
    log.push(`file ${one.at} is read again`);
    const { upload } = await desk.confirm(begun.json().upload.id);
    Object.assign(one, { importId: upload.importId!, isRead: false });
    await readFile(one);
  };
  const whatHappens = [
    answerOne,
    readAgain,
    () => act('release', ['held']),
    () => act('cancel', ['held', 'ready', 'rejected', 'failed']),
    () => act('retry', ['failed']),
    () => place('ordered'),
    () => place('failed'),
  ];

  const night = async () => {
    const rows: Row[] = [];
    for (const [n, order] of orders.entries()) {
      if (chance(0.25)) continue;
      const sent = chance(0.4) ? changed(order) : order;
      if (chance(0.6)) orders[n] = sent;
      rows.push(...sent);
    }
    const added = chance(0.6) || rows.length === 0 ? newOrder() : [];
    if (added.length > 0) orders.push(added);
    const file = await dropFile([...rows, ...added]);
    if (chance(0.8)) await readFile(file);
    await judge();
    for (const late of files.filter(({ isRead, at }) => !isRead && at < file.at))
      if (chance(0.6)) await readFile(late);
    await judge();
    for (let times = below(4); times > 0; times -= 1) {
      await pick(whatHappens)();
      await judge();
    }
  };

  return {
    wrong,
    log,
    run: async () => {
      orders.push(newOrder(), newOrder(), newOrder());
      await readFile(await dropFile(orders.flat()));
      for (let nights = 3 + below(4); nights > 0 && wrong.length === 0; nights -= 1) await night();
    },
  };
};

const first = 1;
const seeds = Array.from({ length: Number(process.env.NIGHTS ?? 20) }, (_, at) => first + at);

test.each(seeds)(
  'nothing is ordered twice, against a later file, or otherwise than its file says, and no row is lost (seed %i)',
  async (seed) => {
    const { run, wrong, log } = createNights(seed);
    await run();
    expect(wrong, log.join('\n')).toEqual([]);
  },
);
