import type { CheckedRow, DetectedColumn, RawRow } from '../types.ts';
import type { LineNotes } from './create-line-notes.ts';

/** In English, German, French, Spanish, Italian, Dutch, Polish and Japanese. */
const variantName =
  /^(?:(?:item|product|line[\s_-]?item|order item|artikel)[\s_:/.-]*)?(?:sizes?|colou?rs?|variants?|variations?|options?|style options?|finish|flavou?r|width|length|(?:option|attribute)[\s_-]*\d?(?:[\s_-]*(?:value|name))?|variant[\s_-]*(?:title|name|options?)|gr(?:ö|oe?)(?:ß|ss)en?|farben?|ausf(?:ü|ue?)hrung|variante[ns]?|taille|pointure|couleur|coloris|tallas?|colore?s?|taglia|maat|kleur|rozmiar|kolor|サイズ|カラー|色)$/iu;

/** Files that people put together have fewer lines. The memory must not grow with the others. */
const mostKnown = 20_000;

/** `Size: S` and `Size: M` of one item number in a PO: the service is told the item number alone. */
export const createVariantNotes = (
  columns: readonly DetectedColumn[],
  unread: ReadonlySet<DetectedColumn>,
): LineNotes => {
  const watched = columns.flatMap((column, at) =>
    unread.has(column) && variantName.test(column.header.trim()) ? [{ header: column.header, at }] : [],
  );
  const item = columns.find(({ field }) => field === 'item_sku' || field === 'item_id');
  const known = new Map<string, { text: string; rowNumber: number }>();
  let first: { line: CheckedRow; before: { text: string; rowNumber: number }; text: string } | undefined;
  const see = ({ cells }: RawRow, lines: readonly CheckedRow[]) => {
    if (watched.length === 0 || first) return;
    const text = watched.map(({ at }) => (cells[at] ?? '').trim()).join(' / ');
    for (const line of lines) {
      const own = line.itemSku ?? line.itemId;
      if (line.poNumber === undefined || own === undefined) continue;
      const key = `${line.poNumber}\n${own}`.toLowerCase();
      const before = known.get(key);
      if (before === undefined) {
        if (known.size < mostKnown) known.set(key, { text, rowNumber: line.rowNumber });
      } else if (before.text.toLowerCase() !== text.toLowerCase()) first ??= { line, before, text };
    }
  };
  return {
    see,
    notes: () => {
      if (!first) return [];
      const { line, before, text } = first;
      const own = line.itemSku ?? line.itemId;
      const names = watched.map(({ header }) => `"${header.slice(0, 40)}"`).join(' and ');
      const shown = [before.text, text].map((one) => `"${one.slice(0, 60).toWellFormed()}"`);
      return [
        {
          rowNumber: line.rowNumber,
          poNumber: line.poNumber,
          severity: 'note',
          column: watched[0]!.header,
          code: 'variant_not_read',
          message: `PO ${line.poNumber} has the item ${own} as ${shown[0]} in row ${before.rowNumber} and as ${shown[1]} in row ${line.rowNumber}, by ${names}. The service is told only the item, so to the service both are the same one. Check that "${item?.header ?? 'item_sku'}" has the number of the variant.`,
          found: text.slice(0, 200).toWellFormed(),
          expected: undefined,
        },
      ];
    },
  };
};
