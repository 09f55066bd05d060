import type pg from 'pg';
import { type AssignedKind, assigneeOf, isAssignedTo } from '../assigned.ts';
import { isOpenFile, rowsWithoutPo } from '../import-counts.ts';
import { type UnknownFiles, unknownFilesOf } from '../overview.ts';
import { alarmCause, hasOpenAlarm, isUnsolved, messageOf, needsPerson } from '../purchase-order-sql.ts';
import { rowsOf } from '../query.ts';
import { countedAtMost, iso } from './sql-parts.ts';

/** The code of a file that was read but has rows that belong to no PO. */
export const rowsOfNoPo = 'rows_without_po';

/** A file that was refused or has rows that belong to no PO. */
export interface OpenFile {
  id: string;
  account: string;
  fileName: string;
  reasonCode: string | null;
  reasonText: string | null;
  takenAt: string;
  /** The assignee; null: unassigned. */
  assignee: string | null;
}

/** POs of one account with alarms of the same cause. */
export interface AlarmGroup {
  account: string;
  cause: string;
  n: number;
  latestAt: string;
  /** The last of them. */
  id: string;
  poNumber: string;
  alarm: string;
  assignees: string[];
}

/** A condition that limits a statement to what is assigned to this person; empty if null, which Postgres plans better. */
const ofPerson = (kind: AssignedKind, id: string, person: string | null) =>
  person === null
    ? { name: '', condition: '', values: [] }
    : { name: '-of-person', condition: `and ${isAssignedTo(kind, id, '$2')}`, values: [person] };

/**
 * Files of the last week that were refused and not sent again, or have rows that belong to no PO; without those marked as not needed.
 * @param person only those that this person takes care of; null: all
 */
export const listOpenFiles = async (
  pool: pg.Pool,
  accounts: readonly string[],
  person: string | null = null,
): Promise<OpenFile[]> => {
  const mine = ofPerson('import', 'i.id', person);
  return rowsOf(pool, {
    name: `console-open-files${mine.name}`,
    // A refused file counts as sent again if one with the same name or bytes arrived.
    text: `
      select i.id::text, i.account, i.file_name as "fileName", 
        case when i.state = 'refused' then i.reason_code else '${rowsOfNoPo}' end as "reasonCode",
        case when i.state = 'refused' then i.reason_text else r.message end as "reasonText",
        ${iso('i.taken_at')} as "takenAt", ${assigneeOf('import', 'i.id')} as assignee
      from imports i
      left join lateral (
        select format('%s of its rows %s to no PO, so nothing of %s was ordered. Row %s: %s', n, case n when 1 then 'belongs' else 'belong' end,
          case n when 1 then 'it' else 'them' end, r.row_number, r.message) as message
        from row_issues r cross join (select ${rowsWithoutPo('i')} as n) rows_of
        where i.state = 'read' and r.import_id = i.id and r.severity = 'issue' and r.po_number is null
        order by r.row_number limit 1) r on true
      where ${isOpenFile('i')} and i.account = any($1) and i.taken_at > now() - interval '7 days'
        ${mine.condition}
        and (i.state = 'read' or not exists (select from imports l where l.account = i.account and l.id > i.id
          and (l.sha256 = i.sha256 or l.state <> 'refused' and lower(l.file_name) = lower(i.file_name))))
      order by i.id desc limit 100`,
    values: [accounts, ...mine.values],
  });
};

/** Waiting files with an unknown header, by account and header, longest wait first. */
export const listUnknownFiles = async (
  pool: pg.Pool,
  accounts: readonly string[],
): Promise<(UnknownFiles & { account: string })[]> => {
  const { rows } = await pool.query<{ account: string; unknown: UnknownFiles[] }>({
    name: 'console-unknown-files',
    text: `select a.account, ${unknownFilesOf('a.account')} as unknown
      from (select distinct account from imports where state = 'waiting' and account = any($1)) a order by 1`,
    values: [accounts],
  });
  return rows
    .flatMap(({ account, unknown }) =>
      unknown.map((one) => ({ ...one, account, since: new Date(one.since) })),
    )
    .sort((a, b) => a.since.getTime() - b.since.getTime());
};

/** POs of one account that failed or were rejected for one cause. */
export interface NotOrdered {
  account: string;
  state: 'failed' | 'rejected';
  reasonCode: string | null;
  /** The service's message, the same for all; null for rejected POs, whose rows differ. */
  message: string | null;
  n: number;
  /** The account has more such POs than were read, so each cause may have more. */
  isCut: boolean;
  /** When the last of them failed or was rejected. */
  latestAt: string;
  /** The last of them. */
  id: string;
  poNumber: string;
  /** Their numbers, last first, up to a small limit. */
  poNumbers: string[];
  /** The files with the most of them. */
  files: { importId: string; fileName: string; count: number }[];
  /** The assignees of some of them. */
  assignees: string[];
}

const shownFiles = 3;
const namedAtMost = 10;

/** At most this many of the latest per account are read, so that a large ledger answers at once. */
const notOrderedAtMost = 500;

const assignees = `coalesce(array_agg(distinct p.assignee) filter (where p.assignee is not null), '{}') as assignees`;

/**
 * Failed and rejected POs that need a person, grouped by cause, most POs first.
 * @param person only those that this person takes care of; null: all
 */
export const listNotOrdered = async (
  pool: pg.Pool,
  accounts: readonly string[],
  person: string | null = null,
): Promise<NotOrdered[]> => {
  const mine = ofPerson('po', 'p.id', person);
  return rowsOf(pool, {
    name: `console-not-ordered${mine.name}`,
    text: `
      select account, state, "reasonCode", message, n, "isCut", ${iso('at')} as "latestAt", id::text, numbers[1] as "poNumber", numbers as "poNumbers", assignees,
        (select json_agg(json_build_object('importId', i.id::text, 'fileName', i.file_name, 'count', f.pos) order by f.pos desc, i.id desc)
          from (select import_id, count(*)::int as pos from unnest(imports) import_id group by 1 order by 2 desc, 1 desc limit ${shownFiles}) f
          join imports i on i.id = f.import_id) as files
      from (
        select a.account, s.state, p.reason_code as "reasonCode", p.message, count(*)::int as n,
          max(p.looked_at) > ${notOrderedAtMost} as "isCut", max(p.changed_at) as at, array_agg(p.import_id) as imports,
          (array_agg(p.id order by p.changed_at desc, p.id desc))[1] as id,
          (array_agg(p.po_number order by p.changed_at desc, p.id desc))[1:${namedAtMost}] as numbers, ${assignees}
        from unnest($1::text[]) a(account) cross join unnest(array['failed', 'rejected']) s(state)
        cross join lateral (
          select p.*, case when p.state = 'failed' then ${messageOf('p')} end as message, ${assigneeOf('po', 'p.id')} as assignee,
            count(*) over () as looked_at
          from (select p.* from purchase_orders p
            where p.account = a.account and p.state = s.state and ${isUnsolved('p')} ${mine.condition}
            order by p.id desc limit ${notOrderedAtMost + 1}) p) p
        where ${needsPerson('p')}
        group by 1, 2, 3, 4
      ) found order by n desc, 1, 2, 3, 4`,
    values: [accounts, ...mine.values],
  });
};

/**
 * POs with an alarm, grouped by cause, most first, and their number, counted up to 10,001. If there are many, only the latest are grouped.
 * @param person only those that this person takes care of; null: all
 */
export const listAlarms = async (
  pool: pg.Pool,
  accounts: readonly string[],
  person: string | null = null,
): Promise<{ alarms: AlarmGroup[]; count: number }> => {
  const mine = ofPerson('po', 'p.id', person);
  const { rows } = await pool.query<AlarmGroup & { count: number }>({
    name: `console-alarms${mine.name}`,
    text: `
      select g.account, g.cause, g.n, ${iso('g.at')} as "latestAt", g.id::text, g.number as "poNumber", g.alarm, g.assignees,
        (select count(*)::int from (select from purchase_orders p where ${hasOpenAlarm('p')} and p.account = any($1) ${mine.condition}
          limit ${countedAtMost + 1}) those) as count
      from (
        select p.account, p.cause, count(*)::int as n, max(p.changed_at) as at,
          (array_agg(p.id order by p.changed_at desc))[1] as id, (array_agg(p.po_number order by p.changed_at desc))[1] as number,
          (array_agg(p.alarm order by p.changed_at desc))[1] as alarm, ${assignees}
        from (select p.*, ${alarmCause('p')} as cause, ${assigneeOf('po', 'p.id')} as assignee
          from purchase_orders p where ${hasOpenAlarm('p')} and p.account = any($1) ${mine.condition}
          order by p.id desc limit ${notOrderedAtMost}) p
        group by 1, 2) g
      order by g.n desc, g.at desc limit 20`,
    values: [accounts, ...mine.values],
  });
  return { alarms: rows.map(({ count: _, ...group }) => group), count: rows[0]?.count ?? 0 };
};
