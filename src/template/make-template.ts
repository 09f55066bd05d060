import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { stringify } from 'csv-stringify/sync';
import { sheetName, writeWorkbook } from '../reports/workbook/write-workbook.ts';
import { makeGuideSheet } from './guide-sheet.ts';
import { makeOrdersSheet } from './orders-sheet.ts';
import type { TemplateAccount } from './template-columns.ts';
import { planTemplate, type TemplatePlan, whyNoTemplate } from './template-plan.ts';

export const templateFormats = ['xlsx', 'csv'] as const;
export type TemplateFormat = (typeof templateFormats)[number];

export type TemplateAnswer =
  | {
      kind: 'made';
      /** Named after account and format, for example `north-template.xlsx`. */
      fileName: string;
      version: string;
      /** The headers, in order. */
      headers: string[];
      bytes: Buffer;
    }
  | { kind: 'not_possible'; why: string };

/** The document property with the version of the template from which a file was made. */
const versionProperty = 'Cartwright template version';

/** One more than the sheet names that an account can use otherwise. */
const ordersNames = ['Orders', 'Purchase orders', 'Order lines'];
const guideNames = ['How to fill in', 'About this template', 'Explanation', 'Help'];
const firstFree = (names: readonly string[], taken: readonly string[]): string =>
  names.find((name) => !taken.some((one) => one.toLowerCase() === name.toLowerCase()))!;

/** More sheets than these two would have no content. */
const lastSheet = 2;

const workbookOf = async (plan: TemplatePlan): Promise<Buffer> => {
  const { account, version, sheet, joined } = plan;
  const orders = typeof sheet === 'string' ? sheetName(sheet) : firstFree(ordersNames, joined);
  const guide = firstFree(guideNames, [orders, ...joined]);
  const { sheet: guideSheet, rangeOf } = makeGuideSheet(plan, guide, orders);
  const ordersSheet = makeOrdersSheet(plan, orders, rangeOf);
  const isSecond = sheet === lastSheet;
  const stream = new PassThrough();
  const [bytes] = await Promise.all([
    buffer(stream),
    writeWorkbook(
      stream,
      isSecond ? [guideSheet, ordersSheet] : [ordersSheet, guideSheet],
      isSecond ? 1 : 0,
      {
        properties: {
          title: `Purchase orders of ${account}`,
          description: `Template for purchase orders of account ${account}, version ${version}.`,
          custom: { [versionProperty]: version },
        },
      },
    ),
  ]);
  return bytes;
};

/**
 * Only a header. The byte order mark makes spreadsheet programs read and save the file as UTF-8; with another encoding it would be read
 * as a part of the first header.
 */
const csvOf = ({ columns, headerRow, delimiter, hasEncoding }: TemplatePlan): Buffer => {
  const header = stringify([columns.map(({ header }) => header)], { delimiter, record_delimiter: '\r\n' });
  return Buffer.from(`${hasEncoding ? '' : '\ufeff'}${'\r\n'.repeat(headerRow - 1)}${header}`);
};

/**
 * Makes the template for an account's purchase files: the fields that it uses, with headers that need no mapping. A filled-in template is
 * read with certainty; an empty one orders nothing.
 */
export const makeTemplate = async (
  account: TemplateAccount,
  format: TemplateFormat,
): Promise<TemplateAnswer> => {
  const { sheet } = account.intake;
  const why =
    whyNoTemplate(account) ??
    (format === 'xlsx' && typeof sheet === 'number' && sheet > lastSheet
      ? `Account ${account.name} reads sheet ${sheet} of a workbook (intake.sheet), and a template has ${lastSheet}. Set intake.sheet to the name of the sheet, or use the template as CSV.`
      : undefined);
  if (why !== undefined) return { kind: 'not_possible', why };
  const plan = planTemplate(account);
  return {
    kind: 'made',
    fileName: `${account.name}-template.${format}`,
    version: plan.version,
    headers: plan.columns.map(({ header }) => header),
    bytes: format === 'csv' ? csvOf(plan) : await workbookOf(plan),
  };
};
