import { Checkbox, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { editorControls } from '../../../../api-contract/editor-words.ts';
import type { Mapping, RawFile } from '../../../../api-contract/uploads.ts';
import { Panel } from '../../components/page-parts.tsx';
import css from './ReadingSettings.module.css';

type Join = NonNullable<Mapping['join']>;

interface JoinSettingsProps {
  join: Join;
  sheets: readonly string[];
  onChange: (next: Join) => void;
}

const words = {
  orders: { sheet: 'Sheet of the orders', column: 'Column with the number of the order there' },
  lines: { sheet: 'Sheet of their lines', column: 'Column with the number of the order of a line' },
} as const;

/** Settings of a join: the sheet of orders, the sheet of lines, and the key column. */
const JoinSettings = ({ join, sheets, onChange }: JoinSettingsProps) => {
  const by = typeof join.by === 'string' ? { orders: join.by, lines: join.by } : join.by;
  return (['orders', 'lines'] as const).map((part) => (
    <div key={part} className="stack-tight">
      <NativeSelect
        label={words[part].sheet}
        data={[...sheets]}
        value={join[part]}
        onChange={(event) => onChange({ ...join, by, [part]: event.currentTarget.value })}
      />
      <TextInput
        key={by[part]}
        label={words[part].column}
        defaultValue={by[part]}
        onBlur={(event) => {
          const column = event.currentTarget.value.trim();
          if (column !== '' && column !== by[part]) onChange({ ...join, by: { ...by, [part]: column } });
        }}
      />
    </div>
  ));
};

interface ReadingSettingsProps {
  file: RawFile;
  /** The present settings of the person, the layout or the proposal. */
  mapping: Mapping;
  /** The sheet and row of the detected header; null: none. */
  found: { sheet: string | null; headerRow: number | null } | null;
  /** The file cannot be read with the present settings. */
  isNeeded: boolean;
  isPending: boolean;
  /** @param anew the columns may change, so decisions about them are dropped */
  onChange: (next: Mapping, anew: boolean) => void;
}

const encodings = [
  'utf-8',
  'windows-1252',
  'iso-8859-15',
  'macintosh',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'utf-16le',
  'shift_jis',
  'gb18030',
  'big5',
  'euc-kr',
];

const joined = 'orders and lines';
const byName = 'sheet ';
const longestRow = 60;

const without = (mapping: Mapping, ...names: (keyof Mapping)[]): Mapping =>
  Object.fromEntries(Object.entries(mapping).filter(([name]) => !names.includes(name as keyof Mapping)));

/** The format settings of a file: everything in a layout besides the columns. */
export const ReadingSettings = ({
  file,
  mapping,
  found,
  isNeeded,
  isPending,
  onChange,
}: ReadingSettingsProps) => {
  const { format, sheets } = file;
  const isText = format === 'csv';
  const { sheet, join, header, headerRows, decimal, delimiter, encoding } = mapping;
  const names = sheets.flatMap(({ name }) => name ?? []);
  const shown =
    sheets.find(({ name }, at) => name === sheet || at + 1 === sheet) ??
    sheets.find(({ name }) => name === found?.sheet) ??
    sheets[0];
  const anew = (next: Mapping) => onChange(next, true);
  const set = (next: Mapping) => onChange({ ...mapping, ...next }, false);
  /** Sets the value; empty: detect it. */
  const say = (name: 'delimiter' | 'encoding', value: string) =>
    anew({ ...without(mapping, name), ...(value === '' ? {} : { [name]: value }) });
  const chooseSheet = (value: string) => {
    const rest = without(mapping, 'sheet', 'join', 'header', 'headerRows');
    if (value === joined) anew({ ...rest, join: { orders: names[0]!, lines: names[1]!, by: 'PO Number' } });
    else anew(value === '' ? rest : { ...rest, sheet: value.slice(byName.length) });
  };
  const rowTexts = (shown?.rows ?? []).map(({ rowNumber, cells }) => {
    const text = cells.filter((cell) => cell.trim() !== '').join(' · ');
    return {
      value: String(rowNumber),
      label: `Row ${rowNumber}: ${text.length > longestRow ? `${text.slice(0, longestRow)}…` : text}`,
    };
  });
  return (
    <Panel>
      <details open={isNeeded}>
        <summary>How the file is written</summary>
        <fieldset className={css.settings} disabled={isPending}>
          <legend className="hidden-text">How the file is written</legend>
          {names.length > 1 ? (
            <NativeSelect
              label={editorControls.sheet}
              data={[
                { value: '', label: `found by itself${found?.sheet ? ` (${found.sheet})` : ''}` },
                ...sheets.flatMap(({ name, hidden }) =>
                  name === null ? [] : { value: byName + name, label: hidden ? `${name} (hidden)` : name },
                ),
                { value: joined, label: 'orders in one sheet, their lines in another' },
              ]}
              value={join ? joined : sheet === undefined ? '' : byName + (shown?.name ?? '')}
              onChange={(event) => chooseSheet(event.currentTarget.value)}
            />
          ) : null}
          {join ? (
            <JoinSettings
              join={join}
              sheets={names}
              onChange={(next) => anew({ ...without(mapping, 'sheet'), join: next })}
            />
          ) : null}
          <NativeSelect
            label={editorControls.header}
            data={[
              {
                value: 'auto',
                label: `found by itself${found?.headerRow ? ` (row ${found.headerRow})` : ''}`,
              },
              { value: 'none', label: 'the file has none' },
              ...rowTexts,
            ]}
            value={String(header ?? 'auto')}
            onChange={(event) => {
              const { value } = event.currentTarget;
              const row = value === 'auto' || value === 'none' ? value : Number(value);
              anew({ ...without(mapping, 'headerRows', 'skipRows'), header: row });
            }}
          />
          {header === 'none' ? (
            <NumberInput
              label="Rows above the first line"
              description="Titles and the like, which are no lines."
              min={0}
              max={1000}
              allowDecimal={false}
              defaultValue={mapping.skipRows ?? 0}
              onBlur={(event) => {
                const skipRows = Number(event.currentTarget.value);
                if (skipRows !== (mapping.skipRows ?? 0)) set({ skipRows });
              }}
            />
          ) : (
            <NativeSelect
              label={editorControls.headerRows}
              description="Of two rows the lower one counts: “Ship To” above “City” is “Ship To City”."
              data={['1', '2']}
              value={String(headerRows ?? 1)}
              onChange={(event) =>
                anew({ ...mapping, headerRows: event.currentTarget.value === '2' ? 2 : 1 })
              }
            />
          )}
          <NativeSelect
            label={editorControls.decimal}
            data={[
              ...(decimal === undefined ? [{ value: '', label: 'a point, and none for thousands' }] : []),
              { value: 'point', label: 'a point: 1,250.50' },
              { value: 'comma', label: 'a comma: 1.250,50' },
            ]}
            value={decimal ?? ''}
            onChange={(event) => set({ decimal: event.currentTarget.value as 'point' | 'comma' })}
          />
          {isText ? (
            <>
              <NativeSelect
                label={editorControls.delimiter}
                data={[
                  { value: '', label: 'found by itself' },
                  { value: ',', label: 'comma ,' },
                  { value: ';', label: 'semicolon ;' },
                  { value: '|', label: 'bar |' },
                  { value: 'tab', label: 'tab' },
                ]}
                value={delimiter ?? ''}
                onChange={(event) => say('delimiter', event.currentTarget.value)}
              />
              <NativeSelect
                label={editorControls.encoding}
                data={[
                  { value: '', label: 'found by itself' },
                  ...(encoding === undefined || encodings.includes(encoding) ? [] : [encoding]),
                  ...encodings,
                ]}
                value={encoding ?? ''}
                onChange={(event) => say('encoding', event.currentTarget.value)}
              />
            </>
          ) : null}
          <div className={`stack-tight ${css.wide}`}>
            <Checkbox
              label={editorControls.continuationRows}
              checked={mapping.continuationRows ?? false}
              onChange={(event) => set({ continuationRows: event.currentTarget.checked })}
            />
            <Checkbox
              label={editorControls.itemInBrackets}
              description="The number is ordered."
              checked={mapping.itemInBrackets ?? false}
              onChange={(event) => set({ itemInBrackets: event.currentTarget.checked })}
            />
            <Checkbox
              label={editorControls.stateNames}
              description="Ohio is sent as its code OH."
              checked={mapping.stateNames === 'convert'}
              onChange={(event) => set({ stateNames: event.currentTarget.checked ? 'convert' : 'refuse' })}
            />
          </div>
        </fieldset>
      </details>
    </Panel>
  );
};
