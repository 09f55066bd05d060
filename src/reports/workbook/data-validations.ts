import { xmlText } from './cells.ts';

/** The accepted values of a validation's cells; a blank cell is always accepted. */
export type CellRule =
  /** One of the texts in a range such as `'Sheet 2'!$A$1:$A$4`. */
  | { kind: 'list'; range: string }
  | { kind: 'whole'; from: number; to: number }
  | { kind: 'decimal'; from: number }
  | { kind: 'length'; from: number; to: number };

/** A validation of cells in a spreadsheet program, with its messages. */
export interface DataValidation {
  /** A cell or a range, such as `A1` or `D2:D100`. */
  cells: string;
  /** Undefined: every value is accepted. */
  rule?: CellRule | undefined;
  /** Shown while a cell is selected. */
  prompt?: { title: string; text: string };
  /** Shown when a value is refused. */
  error?: { title: string; text: string };
}

/** Excel repairs a workbook with longer messages by removing them. */
const longestTitle = 32;
const longestText = 255;

const cut = (text: string, longest: number) =>
  text.length <= longest ? text : `${text.slice(0, longest - 1).trimEnd()}…`;
const message = (name: 'prompt' | 'error', { title, text }: { title: string; text: string }) =>
  ` ${name}Title="${xmlText(cut(title, longestTitle))}" ${name}="${xmlText(cut(text, longestText))}"`;

const ruleXml = (rule: CellRule | undefined): { attributes: string; formulas: string } => {
  const between = (type: string, from: number, to: number) => ({
    attributes: ` type="${type}" operator="between"`,
    formulas: `<formula1>${from}</formula1><formula2>${to}</formula2>`,
  });
  switch (rule?.kind) {
    case undefined:
      return { attributes: '', formulas: '' };
    case 'list':
      return { attributes: ' type="list"', formulas: `<formula1>${xmlText(rule.range)}</formula1>` };
    case 'whole':
      return between('whole', rule.from, rule.to);
    case 'length':
      return between('textLength', rule.from, rule.to);
    case 'decimal':
      return {
        attributes: ' type="decimal" operator="greaterThanOrEqual"',
        formulas: `<formula1>${rule.from}</formula1>`,
      };
  }
};

/** The part of a sheet's XML with its validations; empty if there are none. Cuts messages that are too long. Pure. */
export const dataValidationsXml = (validations: readonly DataValidation[]): string => {
  if (validations.length === 0) return '';
  const each = validations.map(({ cells, rule, prompt, error }) => {
    const { attributes, formulas } = ruleXml(rule);
    const texts = `${error ? message('error', error) : ''}${prompt ? message('prompt', prompt) : ''}`;
    return `<dataValidation${attributes} allowBlank="1" showInputMessage="1" showErrorMessage="1"${texts} sqref="${cells}">${formulas}</dataValidation>`;
  });
  return `<dataValidations count="${validations.length}">${each.join('')}</dataValidations>`;
};
