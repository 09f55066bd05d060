/** Characters that nobody sees: controls, formatting such as zero-width spaces and changes of direction, and letters that are blank. */
const unseen = /[\p{C}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]/u;

/** Whether a person can see every character of a name: two names that look the same would be one in the list of activity. Pure. */
export const isVisible = (name: string): boolean => !unseen.test(name);

/** The name without characters that nobody sees. Pure. */
export const visible = (name: string): string => name.replace(new RegExp(unseen, 'gu'), '');

const plain = (text: string): string => text.normalize('NFKC').trim().toLowerCase();

/** A name of fewer characters is in many passwords by chance. */
const leastName = 3;
/** What a password needs beside the name of its user. */
const leastBeside = 6;

/** Whether a password is little more than the name of its user, which is what everybody tries first. Pure. */
export const isNameOf = (password: string, name: string): boolean => {
  const [given, own] = [plain(password), plain(name)];
  if (given === own) return true;
  return own.length >= leastName && given.includes(own) && given.replaceAll(own, '').length < leastBeside;
};
