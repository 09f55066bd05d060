/** Formats that Excel names in web pages and XML spreadsheets; each is an example of its kind. */
const named: Record<string, string> = {
  'general number': 'General',
  'general date': 'yyyy-mm-dd hh:mm',
  'long date': 'yyyy-mm-dd',
  'medium date': 'yyyy-mm-dd',
  'short date': 'yyyy-mm-dd',
  'long time': 'hh:mm:ss',
  'medium time': 'hh:mm',
  'short time': 'hh:mm',
  currency: '#,##0.00',
  'euro currency': '#,##0.00',
  fixed: '0.00',
  standard: '#,##0.00',
  percent: '0.00%',
  scientific: '0.00E+00',
};

/** A number format as its code. */
export const formatCode = (format: string): string => {
  const name = format.toLowerCase();
  return Object.hasOwn(named, name) ? named[name]! : format;
};
