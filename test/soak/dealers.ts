import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Quantities } from '../support/judge.ts';
import { fileOf, somePos } from '../support/run-system.ts';
import { dealers, type Scene } from './scene.ts';

/** Maximum number of open POs. At this number the machine is slower than the arriving files, and the next file waits. */
const openAllowed = 200;
const posOfFile = 20;
/** In every this many files, one is repeated, and one is unusable. */
const repeatedEvery = 9;
const refusedEvery = 25;
/** Speed of the service's clock: it plans days, but an order is invoiced within two minutes. */
const timesFaster = 1500;
const aged = `interval '60 days'`;

/** Dealers, warehouses and time during a soak. */
export interface Dealers {
  /** The POs of the files, by dealer. */
  asked: ReadonlyMap<string, ReadonlyMap<string, Quantities>>;
  files(): number;
  /** Drops the next file, unless too much work is open. */
  dropNext(): Promise<void>;
  /** Lets new orders progress within minutes, and ages finished ones, so that the service no longer lists them and retention removes them. */
  passTime(): Promise<void>;
  /** The number of POs that have a next step, and of files that are not read yet. */
  openWork(): Promise<number>;
}

const openSql = `
  select greatest(0, $1 - (select count(distinct file_name)::int from imports where state <> 'taken'))
    + (select count(*)::int from purchase_orders where state in
        ('ready', 'cart_created', 'items_added', 'submitting', 'verifying')) as open`;

export const createDealers = ({ folder, ledger, service, inboxOf }: Scene, seed: number): Dealers => {
  const asked = new Map<string, Map<string, Quantities>>(dealers.map((name) => [name, new Map()]));
  let files = 0;
  let dropped = 0;
  let closedUntil = new Date(0);
  const openWork = async (): Promise<number> => (await ledger.query(openSql, [dropped])).rows[0].open;
  const put = async (dealer: string, name: string, content: string): Promise<void> => {
    dropped += 1;
    const draft = join(folder, `.${name}`);
    await mkdir(inboxOf(dealer), { recursive: true });
    await writeFile(draft, content);
    await rename(draft, join(inboxOf(dealer), name));
  };
  return {
    asked,
    files: () => files,
    openWork,
    dropNext: async () => {
      if ((await openWork()) > openAllowed) return;
      files += 1;
      const dealer = dealers[files % dealers.length]!;
      const pos = somePos(`${dealer} ${files}/`, posOfFile, seed + files);
      for (const [po, quantities] of pos) asked.get(dealer)!.set(po, quantities);
      await put(dealer, `orders-${files}.csv`, fileOf(pos));
      if (files % repeatedEvery === 0) await put(dealer, `orders-${files} again.csv`, fileOf(pos));
      if (files % refusedEvery === 0) await put(dealer, `menu-${files}.csv`, 'soup,bread\n4,2\n');
    },
    passTime: async () => {
      await service.pool.query(
        `update dealer_service.orders o set steps = (
           select jsonb_object_agg(key, round(value::numeric / $1)) from jsonb_each_text(o.steps))
         where (steps ->> 'Invoiced')::numeric > 3600000`,
        [timesFaster],
      );
      const { rows } = await ledger.query<{ account: string; poNumber: string; at: Date }>(
        `select account, po_number as "poNumber", closed_at as at from purchase_orders
         where state = 'closed' and closed_at > $1 order by closed_at`,
        [closedUntil],
      );
      closedUntil = rows.at(-1)?.at ?? closedUntil;
      await service.pool.query(
        `update dealer_service.submissions s set order_date = order_date - 60
         from unnest($1::text[], $2::text[]) as closed(dealer, po)
         where s.dealer = closed.dealer and s.po_number = closed.po`,
        [rows.map(({ account }) => account), rows.map(({ poNumber }) => poNumber)],
      );
      await ledger.query(
        `with over as (
           update imports i set read_at = read_at - ${aged}, taken_at = taken_at - ${aged}
           where account = $1 and state = 'read' and not result_due and read_at > now() - interval '1 day'
             and not exists (select from purchase_orders p where p.import_id = i.id and p.state <> 'closed')
           returning id
         ), pos as (
           update purchase_orders p set changed_at = p.changed_at - ${aged} from over where p.import_id = over.id returning p.id
         )
         update status_changes c set seen_at = seen_at - ${aged}
         from pos join orders o on o.purchase_order_id = pos.id where c.order_id = o.id`,
        [dealers[0]],
      );
    },
  };
};
