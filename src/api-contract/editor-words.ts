/** The controls of the mapping editor, by the settings of `intake` that they set. */
export const editorControls = {
  columns: 'Which column is what',
  sheet: 'Sheet',
  join: 'Sheet',
  header: 'Header',
  headerRows: 'Rows of the header',
  delimiter: 'Sign between the columns',
  encoding: 'Encoding',
  decimal: 'Decimal sign',
  continuationRows: 'A row without a PO number belongs to the PO above it',
  itemInBrackets: 'Items are written as [NUMBER] and a name',
  stateNames: 'States are written out',
  poNumberFrom: 'PO number of the whole file',
} as const;
