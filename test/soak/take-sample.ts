import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sample } from './judge-soak.ts';
import type { Scene } from './scene.ts';

/** Open files and sockets of a process, where the system shows them in /proc. */
const readDescriptors = async (pid: number): Promise<Pick<Sample, 'files' | 'sockets'>> => {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder).catch(() => undefined);
  if (!names) return { files: undefined, sockets: undefined };
  const targets = await Promise.all(names.map((name) => readlink(join(folder, name)).catch(() => undefined)));
  const present = targets.filter((target) => target !== undefined);
  const sockets = present.filter((target) => target.startsWith('socket:')).length;
  return { files: present.length - sockets, sockets };
};

// Estimates of Postgres for the rows: counting them would be work that grows with the run.
const factsSql = `
  with sizes as (
    select schemaname, sum(n_live_tup)::float8 as rows, sum(pg_total_relation_size(relid))::float8 as bytes
    from pg_stat_user_tables group by 1)
  select (select count(*)::int from pg_stat_activity where backend_type = 'client backend'
      and application_name like 'cartwright%' and application_name <> current_setting('application_name')) as connections,
    (select count(*)::int from purchase_orders where ordered_at is not null) as ordered,
    (select bytes from sizes where schemaname = 'cartwright') as "ledgerBytes",
    (select rows from sizes where schemaname = 'cartwright') as "ledgerRows",
    (select coalesce(sum(rows), 0) from sizes where schemaname <> 'cartwright') as "queueRows"`;

/** Measures everything once; undefined while the process has not reported yet. Fetches the metrics, as a monitoring does. */
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
