import { fieldOfHeader, headerKey } from '../columns/fields.ts';
import { type FileMapping, settingValues, withMapping } from '../file-mapping.ts';
import { type IntakeOptions, intakeOptionsSchema } from '../options.ts';
import type { Detection } from '../types.ts';
import { ignoredKeys } from './descriptive-names.ts';
import { keyWithoutHeader, layoutKey } from './layout-key.ts';

/** The settings of an account that belong to a layout: a layout has its own, or the defaults. */
const ofLayout = Object.keys(settingValues) as (keyof typeof settingValues)[];

const defaults = intakeOptionsSchema.parse({});

/** The settings for reading files of a layout; from the account only those that are independent of the file format. Pure. */
export const optionsOfLayout = (account: IntakeOptions, settings: FileMapping): IntakeOptions => {
  const neutral = Object.fromEntries(ofLayout.map((name) => [name, defaults[name]]));
  return withMapping({ ...account, ...neutral, columns: {}, layouts: {} }, settings);
};

/** The columns of a file without those that Cartwright added. */
const ownColumns = ({ columns, combined }: Pick<Detection, 'columns' | 'combined'>) =>
  combined?.kind === 'stacked' ? columns.slice(1) : columns;

/** A header with the settings for reading its files. */
export interface LayoutOfHeader {
  headerKey: string;
  /** Its names as in the file; empty for a file without a header. */
  header: string[];
  settings: FileMapping;
}

const headerOf = (detection: Detection): Pick<LayoutOfHeader, 'headerKey' | 'header'> => {
  const columns = ownColumns(detection);
  if (detection.headerRow === null) return { headerKey: keyWithoutHeader(columns.length), header: [] };
  // A column without a name is named by its number.
  const header = columns.flatMap(({ header: name }, at) => (name === `column ${at + 1}` ? [] : name));
  return { headerKey: layoutKey(header), header };
};

const settingsOf = (detection: Detection, options: IntakeOptions): FileMapping => {
  const { headerRow, combined } = detection;
  const ignored = ignoredKeys(options.columns);
  const columns = ownColumns(detection).flatMap(({ header, field }, at): [string, string][] => {
    const name = headerRow === null ? String(at + 1) : header;
    if (field !== null) return [[name, field]];
    const isRecognised = headerRow !== null && fieldOfHeader(header) !== undefined;
    return isRecognised || ignored.has(headerKey(header)) ? [[name, 'ignore']] : [];
  });
  const own = ofLayout.flatMap((name) =>
    options[name] === undefined || options[name] === defaults[name] ? [] : [[name, options[name]] as const],
  );
  const { header: _, sheet, join: __, ...rest } = Object.fromEntries(own) as FileMapping;
  return {
    columns: Object.fromEntries(columns) as NonNullable<FileMapping['columns']>,
    ...rest,
    ...(headerRow === null ? { header: 'none' as const } : {}),
    ...(sheet !== undefined && combined === undefined ? { sheet } : {}),
    ...(combined?.kind === 'joined'
      ? { join: { orders: combined.orders, lines: combined.lines, by: combined.by } }
      : {}),
  };
};

/**
 * The layout that reads other files like this one, independently of later settings of the account. Pure.
 *
 * @param options the settings with which the file was read
 * @param mapping a person's mapping of the file; a PO number of this one file is not part of the layout
 */
export const asLayout = (
  detection: Detection,
  options: IntakeOptions,
  mapping: FileMapping = {},
): LayoutOfHeader => {
  const { po_number: _, ...constants } = mapping.constants ?? {};
  const settings = settingsOf(detection, options);
  return {
    ...headerOf(detection),
    settings: Object.keys(constants).length > 0 ? { ...settings, constants } : settings,
  };
};

/** Whether reading such files needed a person's or the account's settings, beyond standard names. Pure. */
export const isAgreed = ({ settings: { columns = {}, ...rest } }: LayoutOfHeader): boolean =>
  Object.keys(rest).length > 0 ||
  Object.entries(columns).some(([name, field]) => field !== fieldOfHeader(name));
