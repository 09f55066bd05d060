import { xmlText } from './cells.ts';

/** A workbook's properties, as spreadsheet programs show them. */
export interface DocumentProperties {
  title: string;
  description: string;
  /** Properties of our own, by name. */
  custom: Readonly<Record<string, string>>;
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006';
/** The format ID that ECMA-376 part 1, 22.3 gives to properties with names of their own. */
const customFormat = '{D5CDD505-2E9C-101B-9397-08002B2CF9AE}';

/** A part of the workbook's package, with its name and types. */
interface Part {
  name: string;
  contentType: string;
  relationship: string;
  text: string;
}

/** The parts with the properties of a workbook. Pure. */
export const propertyParts = ({ title, description, custom }: DocumentProperties): Part[] => [
  {
    name: 'docProps/core.xml',
    contentType: 'application/vnd.openxmlformats-package.core-properties+xml',
    relationship: `${packages}/relationships/metadata/core-properties`,
    text: `${declaration}<cp:coreProperties xmlns:cp="${packages}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${xmlText(title)}</dc:title><dc:creator>Cartwright</dc:creator><dc:description>${xmlText(description)}</dc:description></cp:coreProperties>`,
  },
  {
    name: 'docProps/custom.xml',
    contentType: 'application/vnd.openxmlformats-officedocument.custom-properties+xml',
    relationship: `${office}/relationships/custom-properties`,
    text: `${declaration}<Properties xmlns="${office}/custom-properties" xmlns:vt="${office}/docPropsVTypes">${Object.entries(
      custom,
    )
      .map(
        // IDs start at 2.
        ([name, value], at) =>
          `<property fmtid="${customFormat}" pid="${at + 2}" name="${xmlText(name)}"><vt:lpwstr>${xmlText(value)}</vt:lpwstr></property>`,
      )
      .join('')}</Properties>`,
  },
];
