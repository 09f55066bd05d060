import type { z } from 'zod';
import {
  type CorrectionColumn,
  type correctionAnswer,
  mostGivenRows,
} from '../../api-contract/corrections.ts';
import type { Account } from '../../config/config.ts';
import { type FieldName, fields, headerKey, isItem } from '../../intake/columns/fields.ts';
import { columnRule } from '../../template/column-rules.ts';
import { fieldChoices } from '../uploads/field-choices.ts';
import { type CheckedRows, firstRow } from './check-correction.ts';
import type { OpenedCorrection } from './open-correction.ts';

const labels = new Map(fieldChoices.map(({ field, label }) => [field, label]));

const columnOf = (account: Account, header: string, field: FieldName | null): CorrectionColumn => {
  if (field === null) return { header, field, label: null, choices: [], allowed: null };
  const { choices = [], allowed } = columnRule(field, account);
  return { header, field, label: labels.get(field) ?? null, choices: [...choices], allowed };
};

/** The grid for correcting POs that were not ordered: the original rows, what each column accepts, and the mistakes. Pure. */
export const presentCorrection = (
  account: Account,
  { from, purchaseOrders, columns, rows, left }: OpenedCorrection,
  { check }: CheckedRows,
): z.input<typeof correctionAnswer> => {
  const used = new Set(
    columns.flatMap(({ header, field }) => [headerKey(header), ...(field === null ? [] : [field])]),
  );
  const hasItem = columns.some(({ field }) => isItem(field));
  const isFurther = (field: FieldName) =>
    !used.has(field) && !used.has(headerKey(field)) && !(hasItem && fields[field] === fields.item_id);
  return {
    importId: from.id,
    account: account.name,
    fileName: from.fileName,
    quoteOnly: from.quoteOnly,
    purchaseOrders: purchaseOrders.map(({ id, poNumber, state, reasonText }) => ({
      ...{ id, poNumber, state },
      reason: reasonText,
    })),
    columns: columns.map(({ header, field }) => columnOf(account, header, field)),
    rows,
    firstRow,
    mostRows: mostGivenRows,
    left,
    further: fieldChoices.flatMap(({ field }) => (isFurther(field) ? [columnOf(account, field, field)] : [])),
    check,
  };
};
