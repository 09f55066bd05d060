import type pg from 'pg';
import { createPace } from './pace.ts';

const noteSql = `
  with next as (
    select id, account from imports where state = 'read' and not items_noted order by id desc limit 1 for no key update skip locked
  ), noted as (
    insert into item_numbers (account, item)
    select distinct n.account, lower(l.item_sku) from next n join lines l on l.import_id = n.id where l.item_sku is not null
    -- In one order, so that two processes never wait for each other.
    order by 1, 2
    on conflict do nothing
  )
  update imports i set items_noted = true from next n where i.id = n.id returning i.id`;

/**
 * Notes the SKUs of every file that was read since the last time, for the search by a part of them; the latest file first, each in a transaction
 * of its own. Not while a file is read, which would take longer. Idempotent; safe to interrupt, and beside other processes.
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
