import { type FieldName, headerKey } from '../columns/fields.ts';
import type { IntakeOptions } from '../options.ts';
import { noteAt } from '../rows/row-issue.ts';
import type { DetectedColumn, RawRow, RowIssue } from '../types.ts';

/** Labels in English, German, French, Spanish, Italian and Dutch. */
const labels = new Set(
  [
    'ship to',
    'ship to address',
    'shipping address',
    'deliver to',
    'delivery address',
    'consignee',
    'liefern an',
    'lieferadresse',
    'lieferanschrift',
    'adresse de livraison',
    'livrer à',
    'dirección de envío',
    'dirección de entrega',
    'enviar a',
    'indirizzo di spedizione',
    'indirizzo di consegna',
    'afleveradres',
    'verzendadres',
  ].map(headerKey),
);
const longest = 120;

const isShip = (field: FieldName | null) => field?.startsWith('ship_') && field !== 'ship_via';

/** Notes about an address above the table of a form (`Ship To:`), which is not read. Pure. */
export const addressAbove = (
  titleRows: readonly RawRow[],
  columns: readonly DetectedColumn[],
  { constants }: Pick<IntakeOptions, 'constants'>,
): RowIssue[] => {
  const isGiven =
    columns.some(({ field }) => isShip(field)) || (Object.keys(constants) as FieldName[]).some(isShip);
  if (isGiven) return [];
  for (const { rowNumber, cells } of titleRows) {
    const found = cells.find((cell) => cell.length <= longest && labels.has(headerKey(cell.split(':')[0]!)));
    if (found === undefined) continue;
    const message = `Row ${rowNumber}, above the table, has "${found.trim().split(':')[0]!.slice(0, 40)}". An address there is not read: the orders go where the service for this account says. Put the address into columns of the table, or into constants of the account (ship_address1, ship_city, …).`;
    return [noteAt(rowNumber, undefined, '', 'address_above_not_read', message)];
  }
  return [];
};
