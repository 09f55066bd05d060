import type { Parts } from './po/change.ts';

/** What can be assigned: a refused file, or a PO. */
export type AssignedKind = 'import' | 'po';

/** SQL: the name of the assignee; null: unassigned. */
export const assigneeOf = (kind: AssignedKind, id: string): string =>
  `(select g.person from assigned g where g.kind = '${kind}' and g.id = ${id})`;

/** SQL: it is assigned to this person. */
export const isAssignedTo = (kind: AssignedKind, id: string, person: string): string =>
  `${id} in (select g.id from assigned g where g.kind = '${kind}' and g.person = ${person}::text)`;

/** SQL: the parts that assign the rows of the part `acted`, with their columns `id` and `account`, to a person ($6); null: to nobody. */
export const assignParts = (kind: AssignedKind): Parts => ({
  given: `insert into assigned (kind, id, account, person) select '${kind}', a.id, a.account, $6::text from acted a
    where $6::text is not null
    on conflict (kind, id) do update set person = excluded.person, at = clock_timestamp()`,
  taken: `delete from assigned g using acted a where $6::text is null and g.kind = '${kind}' and g.id = a.id`,
});
