/** `readLagMs` as it is written on a command line: `read-lag-ms`. */
export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** What is no number is left to what checks it, which has the message for it. */
export const readNumber = (text: string): number | string =>
  text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
