/** A file with one layout of each kind, of two accounts. The account south has a constant PO number. */
export const layoutsFile = `- account: north
  name: Weekly orders
  header: [Beleg, Ware, Anz, "2024"]
  settings:
    columns: { Beleg: po_number, Ware: item_sku, Anz: quantity }
    decimal: comma
- account: north
  name: Bare
  header: []
  width: 4
  settings:
    header: none
    columns: { 1: po_number, 2: item_sku, D: quantity }
- account: north
  name: Price list
  kind: no_order
  header: [Artikel, Preis]
- account: south
  name: Weekly orders
  header: [Code, Pieces]
  settings: { columns: { Code: item_sku, Pieces: quantity } }
`;
