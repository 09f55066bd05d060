/** Keyboard rows and common sequences; following one forwards or backwards is guessable. */
const runs = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  '!@#$%^&*()',
];
const bothWays = runs.flatMap((run) => [run, [...run].reverse().join('')]);

/** Common passwords, without punctuation and digits. */
const common: ReadonlySet<string> = new Set(
  `password passwort passwords motdepasse contrasena contraseña parola senha wachtwoord salasana lozinka heslo haslo
  admin administrator root user welcome willkommen bienvenue letmein changeme changethis default secret topsecret geheim
  iloveyou trustno sunshine princess football baseball basketball superman batman starwars pokemon dragon monkey shadow
  master computer internet server company business test testing tester testtest guest login access temporary temp
  summer winter spring autumn monday friday january november december cartwright console orders purchaseorder
  supplier dealer qwerty qwertz azerty asdf abc michael jennifer charlie jordan freedom whatever nothing
  passwordpassword adminadmin welcomewelcome secretsecret correcthorsebatterystaple hunter letmeinnow`.split(
    /\s+/,
  ),
);

const leet: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};
const lettersOf = (text: string): string => text.replace(/[^\p{L}]/gu, '');
const unleet = (text: string): string => [...text].map((one) => leet[one] ?? one).join('');

const leastDistinct = 5;
const leastRun = 4;

/** Replaces each run of a keyboard, the alphabet or digits by one character. */
const withoutRuns = (text: string): string => {
  let left = text;
  let kept = '';
  while (left !== '') {
    let length = 1;
    for (const run of bothWays) {
      let size = leastRun;
      while (size <= left.length && run.includes(left.slice(0, size))) {
        length = Math.max(length, size);
        size += 1;
      }
    }
    kept += left[0];
    left = left.slice(length);
  }
  return kept;
};

const isRepetition = (text: string): boolean =>
  /^(.{1,8}?)\1+.{0,7}$/su.test(text) && /^(.{1,8}?)\1{2,}/su.test(text);

/**
 * Why a password is easily guessed, as the end of a sentence about it; undefined: it is not. Detects repetition, keyboard sequences, and
 * common words with digits. Pure.
 */
export const whyGuessable = (password: string): string | undefined => {
  const text = password.normalize('NFKC').toLowerCase();
  if (new Set(text).size < leastDistinct || isRepetition(text))
    return 'must not repeat the same few characters';
  if (withoutRuns(text).length < 6) return 'must not be an order of the keyboard, the alphabet or digits';
  const words = [
    lettersOf(text),
    lettersOf(unleet(text)),
    lettersOf(unleet(text.replace(/[^\p{L}]+$/u, ''))),
  ];
  return words.some((word) => common.has(word))
    ? 'must not be a common word with digits or signs'
    : undefined;
};
