import type pg from 'pg';
import { type FileMapping, withMapping } from '../intake/file-mapping.ts';
import { type NearestLayout, nearestLayout } from '../intake/layouts/nearest-layout.ts';
import { readPurchaseFile } from '../intake/read-purchase-file.ts';
import { listLayouts } from '../ledger/layouts.ts';
import type { MapSource } from './map-source.ts';

/** The layout with the nearest header, if no layout matches the file. */
export const findNearest = async (
  { account, path, fileName }: MapSource,
  given: FileMapping,
  pool: pg.Pool,
): Promise<NearestLayout | undefined> => {
  const layouts = await listLayouts(pool, account.name);
  const options = withMapping(account.intake, given);
  const opened = await readPurchaseFile({ path, fileName, options, layouts });
  if (opened.kind === 'refused') return nearestLayout(layouts, opened.header);
  opened.close();
  return undefined;
};
