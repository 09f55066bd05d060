import { headerKey } from '../columns/fields.ts';
import type { IntakeOptions } from '../options.ts';

/** Codes of the US Postal Service (Publication 28, appendix B) and of Canada Post, by the names of states and provinces. */
const codes: Record<string, string> = {
  Alabama: 'AL',
  Alaska: 'AK',
  Arizona: 'AZ',
  Arkansas: 'AR',
  California: 'CA',
  Colorado: 'CO',
  Connecticut: 'CT',
  Delaware: 'DE',
  'District of Columbia': 'DC',
  'Washington DC': 'DC',
  Florida: 'FL',
  Georgia: 'GA',
  Hawaii: 'HI',
  Idaho: 'ID',
  Illinois: 'IL',
  Indiana: 'IN',
  Iowa: 'IA',
  Kansas: 'KS',
  Kentucky: 'KY',
  Louisiana: 'LA',
  Maine: 'ME',
  Maryland: 'MD',
  Massachusetts: 'MA',
  Michigan: 'MI',
  Minnesota: 'MN',
  Mississippi: 'MS',
  Missouri: 'MO',
  Montana: 'MT',
  Nebraska: 'NE',
  Nevada: 'NV',
  'New Hampshire': 'NH',
  'New Jersey': 'NJ',
  'New Mexico': 'NM',
  'New York': 'NY',
  'North Carolina': 'NC',
  'North Dakota': 'ND',
  Ohio: 'OH',
  Oklahoma: 'OK',
  Oregon: 'OR',
  Pennsylvania: 'PA',
  'Rhode Island': 'RI',
  'South Carolina': 'SC',
  'South Dakota': 'SD',
  Tennessee: 'TN',
  Texas: 'TX',
  Utah: 'UT',
  Vermont: 'VT',
  Virginia: 'VA',
  Washington: 'WA',
  'West Virginia': 'WV',
  Wisconsin: 'WI',
  Wyoming: 'WY',
  'American Samoa': 'AS',
  Guam: 'GU',
  'Northern Mariana Islands': 'MP',
  'Puerto Rico': 'PR',
  'Virgin Islands': 'VI',
  'US Virgin Islands': 'VI',
  Alberta: 'AB',
  'British Columbia': 'BC',
  Manitoba: 'MB',
  'New Brunswick': 'NB',
  'Newfoundland and Labrador': 'NL',
  'Northwest Territories': 'NT',
  'Nova Scotia': 'NS',
  Nunavut: 'NU',
  Ontario: 'ON',
  'Prince Edward Island': 'PE',
  Quebec: 'QC',
  Québec: 'QC',
  Saskatchewan: 'SK',
  Yukon: 'YT',
};

const byName = new Map(Object.entries(codes).map(([name, code]) => [headerKey(name), code]));
const allCodes: ReadonlySet<string> = new Set(Object.values(codes));

/** Whether a text is the code of a US state or a Canadian province. */
export const isStateCode = (text: string): boolean => allCodes.has(text);

/** A state as sent to the service. `advised`: the code of a name that the account does not convert. */
interface StateCode {
  code: string;
  advised?: string;
}

/**
 * Converts names of states and provinces to codes if the layout says so, ignoring case, spaces and punctuation. Other texts are unchanged.
 * Pure.
 */
export const createStateCodes =
  ({ stateNames }: Pick<IntakeOptions, 'stateNames'>): ((text: string) => StateCode) =>
  (text) => {
    const known = text.length > 2 ? byName.get(headerKey(text)) : undefined;
    if (known === undefined) return { code: text };
    return stateNames === 'convert' ? { code: known } : { code: text, advised: known };
  };
