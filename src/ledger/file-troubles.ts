import type pg from 'pg';
import type { FileTrouble, TroubleRegister } from '../intake/file-troubles.ts';

/** What keeps files from being picked up, as the ledger keeps account of it. */
export const createTroubleRegister = (pool: pg.Pool): TroubleRegister => ({
  replace: async (account, place, troubles) => {
    const { rows } = await pool.query<FileTrouble>({
      name: 'replace-file-troubles',
      text: `
        with now as (
          select * from unnest($3::text[], $4::text[], $5::text[]) as t(file_name, code, message)
        ), over as (
          delete from file_troubles f where f.account = $1 and f.place = $2
            and not exists (select from now where now.file_name = f.file_name)
        ), before as (
          select file_name, code from file_troubles where account = $1 and place = $2
        ), kept as (
          insert into file_troubles as f (account, place, file_name, code, message)
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
        troubles.map(({ fileName }) => fileName),
        troubles.map(({ code }) => code),
        troubles.map(({ message }) => message),
      ],
    });
    return rows;
  },
});
