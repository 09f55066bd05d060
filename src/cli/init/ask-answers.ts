import { type Ask, askYes } from '../ask-person.ts';
import { badOption, kebab } from '../option-text.ts';
import { type InitAnswers, readAnswers, type SignIn, signInKinds } from './new-settings.ts';

/** Options of `cartwright init`; given ones are not asked. */
export interface InitOptions {
  name?: string;
  baseUrl?: string;
  signIn?: string;
  user?: string;
  header?: string;
  secretEnv?: string;
  timeZone?: string;
  messagesTo?: string;
  mailServer?: string;
  messagesFrom?: string;
  file?: string;
}

const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const defaults: InitAnswers = {
  name: 'default',
  baseUrl: undefined,
  signIn: { kind: 'none' },
  timeZone: ownZone(),
  messages: undefined,
};

/** A variable's name cannot begin with a digit, and an account's can. */
const variableFor = (name: string): string => `SECRET_${name.toUpperCase().replaceAll('-', '_')}`;

/** A secret pasted by mistake has lower-case letters or other characters, and must not get into the file. */
const looksLikeVariable = /^[A-Z_][A-Z0-9_]{0,39}$/;

/** The sign-in of this kind; undefined for a kind that does not exist. */
const signInOf = (
  kind: string,
  { name, user = '', header = '', secretEnv = variableFor(name) }: Pick<InitAnswers, 'name'> & InitOptions,
): SignIn | undefined => {
  if (kind === 'none' || kind === 'bearer') return kind === 'none' ? { kind } : { kind, secretEnv };
  if (kind === 'basic') return { kind, user, secretEnv };
  return kind === 'header' ? { kind, name: header, secretEnv } : undefined;
};

/** Asks until the answer is valid; an empty answer accepts the proposal. */
const askUntil = async <T>(
  ask: Ask,
  tell: (line: string) => void,
  question: string,
  proposed: string,
  read: (answer: string) => { answer: T } | { wrong: string },
): Promise<T> => {
  for (;;) {
    const checked = read((await ask(`${question}${proposed === '' ? '' : ` [${proposed}]`}: `)) || proposed);
    if ('answer' in checked) return checked.answer;
    tell(`It ${checked.wrong}.`);
  }
};

/** Asks for values that the options do not give. Each answer is checked like the configuration file. */
export const askAnswers = async (
  ask: Ask,
  tell: (line: string) => void,
  given: InitOptions,
): Promise<InitAnswers> => {
  let answers = defaults;
  /** Asks for one answer, unless `given` is valid. */
  const one = async (
    question: string,
    option: string | undefined,
    proposed: string,
    change: (text: string) => Partial<InitAnswers> | { wrong: string },
  ): Promise<void> => {
    const read = (text: string) => {
      const changed = change(text);
      if ('wrong' in changed) return { wrong: changed.wrong };
      const next = { ...answers, ...changed };
      const checked = readAnswers(next);
      return 'wrong' in checked ? checked : { answer: next };
    };
    if (option !== undefined) {
      const checked = read(option);
      if ('answer' in checked) {
        answers = checked.answer;
        return;
      }
      // Never print the option's value: an address may contain a password.
      tell(`${question}: it ${checked.wrong}.`);
    }
    answers = await askUntil(ask, tell, question, proposed, read);
  };

  await one('Name of the account, such as that of the dealer', given.name, 'default', (name) => ({ name }));
  await one(
    'Address of the dealer order service; empty: try a sandbox first',
    given.baseUrl,
    '',
    (baseUrl) => ({ baseUrl: baseUrl === '' ? undefined : baseUrl }),
  );
  if (answers.baseUrl !== undefined) {
    let kind = 'none';
    await one(
      `How it knows you (${signInKinds.join(', ')}), whose secret is in an environment variable`,
      given.signIn,
      'bearer',
      (text): Partial<InitAnswers> | { wrong: string } => {
        kind = text;
        return signInOf(text, { ...given, name: answers.name, user: 'user', header: 'x-api-key' }) ===
          undefined
          ? { wrong: `must be one of ${signInKinds.join(', ')}` }
          : {};
      },
    );
    const named = { ...given };
    const needed = kind === 'basic' ? 'User' : kind === 'header' ? 'Name of the header' : undefined;
    const key = kind === 'basic' ? 'user' : 'header';
    if (needed !== undefined)
      await one(needed, given[key], key === 'header' ? 'x-api-key' : '', (text) => {
        named[key] = text;
        const { secretEnv: _, ...without } = named;
        return { signIn: signInOf(kind, { ...without, name: answers.name })! };
      });
    if (kind !== 'none')
      await one(
        'Environment variable that holds the secret',
        given.secretEnv,
        variableFor(answers.name),
        (secretEnv) =>
          looksLikeVariable.test(secretEnv)
            ? { signIn: signInOf(kind, { ...named, name: answers.name, secretEnv })! }
            : {
                wrong: `must be the name of an environment variable in capital letters, such as ${variableFor(answers.name)}; never the secret itself`,
              },
      );
  }
  await one('Time zone', given.timeZone, ownZone(), (timeZone) => ({ timeZone }));
  await one('E-mail address for messages; empty: none yet', given.messagesTo, '', (to) => ({
    messages: to === '' ? undefined : { to, host: 'localhost', from: to },
  }));
  const { messages } = answers;
  if (messages !== undefined) {
    await one('Mail server', given.mailServer, 'localhost', (host) => ({ messages: { ...messages, host } }));
    await one('Sender of the messages', given.messagesFrom, messages.to, (from) => ({
      messages: { ...answers.messages!, from },
    }));
  }
  return answers;
};

/** Options that require another one. */
const needs: Partial<Record<keyof InitOptions, (keyof InitOptions)[]>> = {
  baseUrl: ['signIn', 'user', 'header', 'secretEnv'],
  messagesTo: ['mailServer', 'messagesFrom'],
};

/**
 * The answers from the options, without asking; the others have their defaults.
 * @throws UserError `bad_option`
 */
export const answersOf = (options: InitOptions): Promise<InitAnswers> => {
  for (const [needed, among] of Object.entries(needs))
    for (const name of among)
      if (options[name] !== undefined && options[needed as keyof InitOptions] === undefined)
        throw badOption(`--${kebab(name)} needs --${kebab(needed)}, too. Nothing was written.`);
  let asked = '';
  return askAnswers(
    async (question) => {
      asked = question;
      return '';
    },
    (line) => {
      // The line already names the question of a wrong option.
      throw badOption(`${line.startsWith('It ') ? asked : ''}${line} Nothing was written.`);
    },
    { signIn: 'none', ...options },
  );
};

/** Asks whether to continue despite a problem with the service. */
export const askToGoOn = async (ask: Ask): Promise<boolean> => askYes(ask, 'Write the configuration anyway?');
