import { stringify } from 'yaml';
import { configSchema, type Settings } from '../../config/schema.ts';
import { listSettingErrors, settingErrors } from '../../config/setting-errors.ts';

/** How to sign in to the service; the secret itself is in the environment variable. */
export type SignIn =
  | { kind: 'none' }
  | { kind: 'bearer'; secretEnv: string }
  | { kind: 'basic'; user: string; secretEnv: string }
  | { kind: 'header'; name: string; secretEnv: string };

export const signInKinds = ['none', 'bearer', 'basic', 'header'] as const;

/** The answers to `cartwright init`. */
export interface InitAnswers {
  /** Name of the account. */
  name: string;
  /** Address of the service; undefined: start with a sandbox. */
  baseUrl: string | undefined;
  signIn: SignIn;
  timeZone: string;
  /** Who gets messages, and how they are sent; undefined: nobody yet. */
  messages: { to: string; host: string; from: string } | undefined;
}

/** The settings from the answers, as users write them. */
const asWritten = ({ name, baseUrl, signIn, timeZone, messages }: InitAnswers) => ({
  accounts: {
    [name]: {
      ...(baseUrl === undefined ? {} : { baseUrl, auth: signIn }),
      schedule: { timeZone },
    },
  },
  ...(messages === undefined
    ? {}
    : {
        notifications: {
          smtp: { host: messages.host, from: messages.from },
          routes: { office: { kind: 'email', to: [messages.to] } },
        },
      }),
});

/** The settings of these answers, or the mistake in the first wrong one, as part of a sentence. Pure. */
export const readAnswers = (answers: InitAnswers): { settings: Settings } | { wrong: string } => {
  const written = asWritten(answers);
  const parsed = configSchema.safeParse(written, { error: settingErrors });
  // An account called __proto__ would be lost without an error.
  if (parsed.success && !Object.hasOwn(parsed.data.accounts, answers.name))
    return { wrong: 'cannot be a name of an account' };
  if (parsed.success) return { settings: parsed.data };
  return { wrong: listSettingErrors(written, parsed.error)[0]!.message };
};

/** Text as a YAML value or key, even within braces: never read as a number, date or null. */
const value = (text: string): string =>
  /[,[\]{}]/.test(text) ? JSON.stringify(text) : stringify(text, { lineWidth: 0 }).trim();

const serviceLines = ({ baseUrl, signIn }: InitAnswers): string[] => {
  if (baseUrl === undefined)
    return [
      '    # The dealer order service. Until its address is here, only `cartwright up --sandbox` orders, from a service on this machine.',
      '    # baseUrl: https://orders.example.com',
      '    # auth: { kind: bearer, secretEnv: ORDER_SERVICE_TOKEN }',
    ];
  const { kind, ...more } = signIn;
  const parts = [`kind: ${kind}`, ...Object.entries(more).map(([key, text]) => `${key}: ${value(text)}`)];
  return [
    '    # The dealer order service, and how it knows this account. The secret is in the environment variable that is named here.',
    `    baseUrl: ${value(baseUrl)}`,
    `    auth: { ${parts.join(', ')} }`,
  ];
};

const messageLines = ({ messages }: InitAnswers): string[] => [
  '',
  '# Notifications: who gets a message when a person has to act. `cartwright notify --test` sends a test message.',
  ...(messages === undefined
    ? [
        '# notifications:',
        '#   smtp: { host: mail.example.com, from: cartwright@example.com }',
        '#   routes:',
        '#     office: { kind: email, to: [orders@example.com] }',
      ]
    : [
        'notifications:',
        '  smtp:',
        `    host: ${value(messages.host)}`,
        `    from: ${value(messages.from)}`,
        '    # user: cartwright@example.com',
        '    # secretEnv: SMTP_PASSWORD',
        '  routes:',
        '    office:',
        '      kind: email',
        `      to: [${value(messages.to)}]`,
      ]),
];

/** cartwright.yaml with comments. Pure. */
export const writeSettings = (answers: InitAnswers, schemaFile: string): string =>
  [
    `# yaml-language-server: $schema=${schemaFile}`,
    '# Configuration of Cartwright. Every setting is optional: cartwright.example.yaml shows more of them, docs/settings.md all.',
    '# `cartwright doctor` checks it. It contains no secrets.',
    '',
    '# Folder for everything that is not in a database: the accounts’ files and the built-in Postgres. As root its ledger may be elsewhere:',
    '# postgres-stands-elsewhere.txt in this folder then says where. A copy of this folder is no backup: `cartwright backup` makes one.',
    'dataFolder: cartwright-data',
    '',
    'accounts:',
    `  ${value(answers.name)}:`,
    ...serviceLines(answers),
    '    schedule:',
    '      # Of the cron patterns of this account.',
    `      timeZone: ${value(answers.timeZone)}`,
    '      # statusReport: 0 6 * * *',
    '      # open: 08:00-17:00      # orders are started only then',
    '    # Hold for a person what is unusual:',
    '    # guards: { orderTotal: 20000, abovePercent: 10 }',
    ...messageLines(answers),
    '',
  ].join('\n');
