/** Invisible characters: controls, formatting such as zero-width spaces and direction marks, and blank letters. */
const unseen = /[\p{C}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]/u;

/** Whether every character of a name is visible. Otherwise two names could look the same in the activity list. Pure. */
export const isVisible = (name: string): boolean => !unseen.test(name);

/** Removes invisible characters from a name. Pure. */
export const visible = (name: string): string => name.replace(new RegExp(unseen, 'gu'), '');

const plain = (text: string): string => text.normalize('NFKC').trim().toLowerCase();

/** Shorter names occur in many passwords by chance. */
const leastName = 3;
/** Minimum characters of a password besides the user name. */
const leastBeside = 6;

/** Whether a password is little more than the user name, which attackers try first. Pure. */
export const isNameOf = (password: string, name: string): boolean => {
  const [given, own] = [plain(password), plain(name)];
  if (given === own) return true;
  return own.length >= leastName && given.includes(own) && given.replaceAll(own, '').length < leastBeside;
};
