import { extname } from 'node:path';

export const textEndings: readonly string[] = ['.csv', '.txt', '.tsv'];
export const workbookEndings: readonly string[] = ['.xlsx', '.xlsm', '.xlsb', '.xls', '.ods'];
const endings = [...textEndings, ...workbookEndings, '.html', '.htm', '.xml'];

/** For a name with another ending: “… does not end in .csv, .txt … or .xml”. */
export const noPurchaseFileEnding = `does not end in ${endings.slice(0, -1).join(', ')} or ${endings.at(-1)}`;

/** The ending of a purchase file's name in lower case with its dot; undefined for other endings. Pure. */
export const purchaseFileEnding = (fileName: string): string | undefined => {
  const ending = extname(fileName).toLowerCase();
  return endings.includes(ending) ? ending : undefined;
};
