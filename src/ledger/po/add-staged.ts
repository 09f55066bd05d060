import type pg from 'pg';
import { firstReading } from '../hold-again.ts';
import { isActive, isConflicting, isSettled } from '../purchase-order-sql.ts';
import { endHeldQuotes } from './quotes.ts';
import { insertPos, updatePos } from './write.ts';

/** This many POs of a new file go ahead of other files of the account. */
const aheadOfOthers = 16;

const insertSql = insertPos(
  {
    account: '$2',
    po_number: 'po_number',
    po_key: 'po_key',
    import_id: '$1',
    first_row: 'first_row',
    line_count: 'line_count',
    options: 'options::json',
    content_hash: 'content_hash',
    file_hash: 'file_hash',
    po_written: 'po_written',
    quote_only: '$3',
    state: `case outcome when 'rejected' then 'rejected' when 'conflicting' then 'held' when 'held' then 'held' else 'ready' end`,
    reason_code: 'code',
    reason_text: 'reason',
    // Files placed at the same time take turns. A new file joins at the current turn with its first POs ahead, so that a small file does
    // not wait for a large one.
    turn: `coalesce((select min(b.turn) from purchase_orders b
      where b.account = $2 and ${isActive('b')} and b.dispatch = 'backlog'), 0) + row_number() over (order by first_row) - ${aheadOfOthers}`,
  },
  { from: `staged where outcome is distinct from 'repeated' order by first_row` },
);

// Active quotes are not changed: the order waits until they end.
const endHeldQuotesSql = endHeldQuotes(
  '(select $1::text as account, po_key from staged where outcome is null)',
);

/** Marks POs that were not ordered as corrected, because the file has them and does not reject them. */
const correctedBy = (from: string, isSame: string): string => `
  with corrected as (
    ${updatePos({
      by: 'corrected',
      from,
      set: {
        reason_code: `'corrected'`,
        reason_text: `coalesce(p.reason_text || ' ', '') || 'Corrected ' || case when s.po_number <> p.po_number then 'as PO ' || s.po_number || ' ' else '' end || 'in import ' || $2 || ' (row ' || s.first_row || ').'`,
      },
      where: `${isSame} and p.account = $1 and p.quote_only = $3
      and p.state in ('rejected', 'failed') and p.reason_code is distinct from 'corrected' and p.import_id <> $2::bigint
      and s.outcome is distinct from 'rejected' and s.other_id is distinct from p.id`,
      returning: 'p.import_id',
    })}
  )
  update imports set result_due = true where id in (select import_id from corrected)`;

// The same PO number in a later file. A mere repetition of the failed content corrects nothing, nor does re-reading an older file.
const correctedSql = correctedBy(
  'staged s',
  `p.po_key = s.po_key and p.po_number = s.po_number and p.import_id < ${firstReading('$2')}`,
);

// Rows that a person corrected in the browser, whose PO number was itself wrong.
const renamedSql = correctedBy(
  `uploads u join corrected_purchase_orders k on k.upload_id = u.id join staged s on s.po_number = k.po_number`,
  'u.import_id = $2::bigint and p.id = k.purchase_order_id',
);

// POs held because of another PO now refer to this one.
const inConflictSql = `
  update imports set result_due = true where not result_due and id in (
    select q.import_id from purchase_orders q
    where q.account = $1 and q.import_id <> $2 and q.quote_only = $3 and q.state = 'held' and ${isConflicting('q')}
      and q.po_key in (select po_key from staged where outcome is null or outcome = 'held'))`;

const repeatSql = `
  insert into repeated_purchase_orders (import_id, po_number, first_row, line_count, purchase_order_id, options, content_hash)
  select $1, po_number, first_row, line_count, other_id, options::json, content_hash from staged where outcome = 'repeated'`;

// A person's "not needed" on a failed PO does not cover a later file that asks for it again.
const askedAgainSql = updatePos({
  by: 'asked again',
  set: { alarm_settled_at: 'null' },
  from: 'repeated_purchase_orders r',
  where: `r.import_id = $1 and p.id = r.purchase_order_id and p.state = 'failed' and ${isSettled('p')}`,
});

/**
 * Adds an import's grouped POs (`staged`): new POs, repetitions, and the consequences for existing POs.
 *
 * @param request.known the account has POs of these numbers
 * @param request.isCorrection a person corrected these rows in the browser
 */
export const addStaged = async (
  client: pg.PoolClient,
  request: { importId: string; account: string; quoteOnly: boolean; known: boolean; isCorrection: boolean },
): Promise<void> => {
  const { importId, account, quoteOnly, known, isCorrection } = request;
  await client.query(insertSql, [importId, account, quoteOnly]);
  if (known) {
    await client.query(repeatSql, [importId]);
    await client.query(askedAgainSql, [importId]);
    await client.query(correctedSql, [account, importId, quoteOnly]);
  }
  if (isCorrection) await client.query(renamedSql, [account, importId, quoteOnly]);
  if (!known) return;
  await client.query(inConflictSql, [account, importId, quoteOnly]);
  if (!quoteOnly) await client.query(endHeldQuotesSql, [account]);
};
