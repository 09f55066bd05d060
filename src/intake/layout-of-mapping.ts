import type { CodeLists } from '../contract/carts.ts';
import type { Refused } from '../errors.ts';
import { type FileMapping, withMapping } from './file-mapping.ts';
import { asLayout, type LayoutOfHeader } from './layouts/layout-settings.ts';
import type { IntakeOptions } from './options.ts';
import { readPurchaseFile } from './read-purchase-file.ts';

/**
 * What a person decided about one file, as a layout of all files with its header.
 *
 * @returns why not, if the file cannot be read so
 */
export const layoutOfMapping = async (
  { intake, codeLists }: { intake: IntakeOptions; codeLists: CodeLists },
  file: { path: string; fileName: string; signal?: AbortSignal },
  mapping: FileMapping,
): Promise<{ kind: 'layout'; layout: LayoutOfHeader } | Refused> => {
  const opened = await readPurchaseFile({ ...file, codeLists, options: withMapping(intake, mapping) });
  if (opened.kind === 'refused') return opened;
  opened.close();
  return { kind: 'layout', layout: asLayout(opened.detection, opened.options, mapping) };
};
