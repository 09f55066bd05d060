import type pg from 'pg';
import type { FileProblem, FileProblemRegister } from '../intake/inbox/file-problems.ts';
import { rowsOf } from './query.ts';

/** The register of files that cannot be picked up or need attention. */
export const createFileProblemRegister = (pool: pg.Pool): FileProblemRegister => ({
  replace: (account, place, problems, unchecked = []) =>
    rowsOf<FileProblem>(pool, {
      name: 'replace-file-problems',
      text: `
        with now as (
          select * from unnest($3::text[], $4::text[], $5::text[]) as t(file_name, code, message)
        ), over as (
          delete from file_problems f where f.account = $1 and f.place = $2
            and not exists (select from now where now.file_name = f.file_name)
            and not $6 and f.file_name <> all($7::text[])
        ), before as (
          select file_name, code from file_problems where account = $1 and place = $2
        ), kept as (
          insert into file_problems as f (account, place, file_name, code, message)
          select $1, $2, file_name, code, message from now
          on conflict (account, place, file_name) do update
            set code = excluded.code, message = excluded.message,
              since = case when f.code = excluded.code then f.since else now() end
            where (f.code, f.message) is distinct from (excluded.code, excluded.message)
        )
        select file_name as "fileName", code, message from now
        where not exists (select from before b where b.file_name = now.file_name and b.code = now.code)`,
      values: [
        account,
        place,
        problems.map(({ fileName }) => fileName),
        problems.map(({ code }) => code),
        problems.map(({ message }) => message),
        unchecked === 'all',
        unchecked === 'all' ? [] : unchecked,
      ],
    }),
});
