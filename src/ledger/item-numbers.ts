import type pg from 'pg';
import { createPace } from './pace.ts';

const noteSql = `
  with next as (
    select id, account from imports where state = 'read' and not items_noted order by id desc limit 1 for no key update skip locked
  ), noted as (
    insert into item_numbers (account, item)
    select distinct n.account, lower(l.item_sku) from next n join lines l on l.import_id = n.id where l.item_sku is not null
    -- In a fixed order, so that two processes cannot deadlock.
    order by 1, 2
    on conflict do nothing
  )
  update imports i set items_noted = true from next n where i.id = n.id returning i.id`;

/**
 * Indexes the SKUs of files read since the last run for the search by part of a SKU, latest file first, one transaction per file. Not done
 * while reading a file, which it would slow down. Idempotent; safe to interrupt and to run in several processes.
 */
export const noteItems = async (pool: pg.Pool, isStopping: () => boolean): Promise<void> => {
  const pace = createPace();
  let more = true;
  const next = async (): Promise<{ read: number }> => {
    more = (await pool.query({ name: 'note-items', text: noteSql })).rowCount === 1;
    return { read: 0 };
  };
  while (more && !isStopping()) await pace.step(next);
};
