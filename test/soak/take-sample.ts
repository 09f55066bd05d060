import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sample } from './judge-soak.ts';
import type { Scene } from './scene.ts';

/** Open files and sockets of a process, if the system shows them in /proc. */
const readDescriptors = async (pid: number): Promise<Pick<Sample, 'files' | 'sockets'>> => {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder).catch(() => undefined);
  if (!names) return { files: undefined, sockets: undefined };
  const targets = await Promise.all(names.map((name) => readlink(join(folder, name)).catch(() => undefined)));
  const present = targets.filter((target) => target !== undefined);
  const sockets = present.filter((target) => target.startsWith('socket:')).length;
  return { files: present.length - sockets, sockets };
};

// Uses Postgres's estimate of the ledger's rows, because the cost of counting would grow with the run. The queue has few rows.
const factsSql = `
  with ledger as (
    select sum(n_live_tup)::float8 as rows, sum(pg_total_relation_size(relid))::float8 as bytes
    from pg_stat_user_tables where schemaname = 'cartwright'
  ), queue as (
    select sum((xpath('/row/n/text()', query_to_xml(format('select count(*) as n from %I.%I', schemaname, relname), false, true, '')))[1]::text::int) as rows
    from pg_stat_user_tables where schemaname <> 'cartwright')
  select (select count(*)::int from pg_stat_activity where backend_type = 'client backend'
      and application_name like 'cartwright%' and application_name <> current_setting('application_name')) as connections,
    (select count(*)::int from purchase_orders where ordered_at is not null) as ordered,
    (select bytes from ledger) as "ledgerBytes", (select rows from ledger) as "ledgerRows",
    (select rows::int from queue) as "queueRows"`;

/** Measures everything once; undefined until the process has reported. Fetches the metrics like a monitoring system. */
export const takeSample = async ({ ledger, up }: Scene, atMs: number): Promise<Sample | undefined> => {
  const answer = await fetch(new URL('/metrics', up.consoleUrl));
  await answer.text();
  if (!answer.ok) throw new Error(`/metrics answered ${answer.status}.`);
  const use = up.use();
  if (!use) return undefined;
  const descriptors = await readDescriptors(up.child.pid!);
  const { rows } =
    await ledger.query<Pick<Sample, 'connections' | 'ordered' | 'ledgerBytes' | 'ledgerRows' | 'queueRows'>>(
      factsSql,
    );
  return { atMs, ...use, ...descriptors, ...rows[0]! };
};
