import type { Account } from '../config/config.ts';
import { type FieldName, fieldNames, headerKey, lineFields } from '../intake/columns/fields.ts';

/** The part of an account on which a template depends. */
export type TemplateAccount = Pick<Account, 'name' | 'intake' | 'codeLists'> & {
  placing: Pick<Account['placing'], 'guards'>;
};

export interface TemplateColumn {
  field: FieldName;
  header: string;
  /** Rows without a value are not ordered. */
  required: boolean;
  /** It applies to the whole PO. */
  ofWholePo: boolean;
}

/** Fields that nearly every dealer fills in. */
const usual: readonly FieldName[] = [
  'po_number',
  'quantity',
  'note',
  'ship_name',
  'ship_address1',
  'ship_address2',
  'ship_city',
  'ship_state',
  'ship_zip',
  'ship_phone',
  'default_warehouse',
  'ship_via',
  'comment1',
];

const mappedFields = ({ intake }: TemplateAccount): Set<string> =>
  new Set([intake, ...Object.values(intake.layouts)].flatMap(({ columns }) => Object.values(columns)));

/** Fields of an account in the usual order of columns: the usual ones, those that it maps, and what its settings need. */
const usedFields = (account: TemplateAccount): FieldName[] => {
  const { intake, placing } = account;
  const mapped = mappedFields(account);
  const used = new Set<string>([...usual, ...mapped, ...intake.blankMeansNo]);
  // An item needs only one of the two, and people know the number.
  const knowsId = mapped.has('item_id') || intake.constants.item_id !== undefined;
  used.add(knowsId && !mapped.has('item_sku') ? 'item_id' : 'item_sku');
  if (placing.guards.abovePercent !== undefined) used.add('expected_price');
  // A line's constant is used if its cell is blank; a constant PO number or a constant of a whole PO needs no column.
  const needsNone = (field: FieldName) =>
    intake.constants[field] !== undefined && (field === 'po_number' || !lineFields.has(field));
  return fieldNames.filter((field) => used.has(field) && !needsNone(field));
};

/**
 * The header of a field: its standard name, which needs no mapping; or a name from the account's mapping, if the account uses the standard
 * name for another field.
 */
const headerOf = (field: FieldName, { intake }: TemplateAccount): string => {
  const named = Object.entries(intake.columns);
  const meaning = named.find(([header]) => headerKey(header) === headerKey(field))?.[1];
  if (meaning === undefined || meaning === field) return field;
  return named.find(([, own]) => own === field)?.[0] ?? field;
};

/** The columns of an account's template. Pure. */
export const templateColumns = (account: TemplateAccount): TemplateColumn[] => {
  const used = usedFields(account);
  const hasBoth = used.includes('item_sku') && used.includes('item_id');
  const required = new Set<FieldName>(
    hasBoth ? ['po_number', 'quantity'] : ['po_number', 'item_sku', 'item_id', 'quantity'],
  );
  return used.map((field) => ({
    field,
    header: headerOf(field, account),
    required: required.has(field) && account.intake.constants[field] === undefined,
    ofWholePo: !lineFields.has(field),
  }));
};

/** Fields that can be added as columns: neither in the template nor filled in by the account. Pure. */
export const furtherFields = (account: TemplateAccount): FieldName[] => {
  const used = new Set(usedFields(account));
  return fieldNames.filter(
    (field) =>
      !used.has(field) && account.intake.constants[field] === undefined && !/^item_(?:sku|id)$/.test(field),
  );
};
