import { holdReasonOf } from '../placing/hold-reasons.ts';
import { serviceCause } from '../placing/service-causes.ts';
import { shellWord } from '../shell-word.ts';
import {
  type EventKind,
  type EventKindWords,
  eventKinds,
  type Severity,
  severities,
  severityOf,
} from './kinds.ts';
import { between, inZone, number, plain } from './plain-text.ts';
import { addCounts, namedEvents } from './plan-messages.ts';
import type { Section } from './types.ts';

/** The text of a message. `lines` of a paragraph belong together. */
export interface MessageText {
  subject: string;
  /** Prefix of an e-mail's subject; default: `[Cartwright] `. */
  prefix?: string;
  severity: Severity;
  paragraphs: { heading: string; lines: string[] }[];
}

const holdLines = (counts: Record<string, number>): string[] =>
  Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([code, n]) => {
      const reason = holdReasonOf(code);
      return `${number(n)} as ${plain(code)}${reason ? `: ${reason.meaning} ${reason.advice}` : ''}`;
    });

/** The details of an event: the reason, the place in the file, the result file with all rows, and the advice. */
const aboutItem = (item: Section['first'][number], account: string | null, timeZone: string): string => {
  const { about, cause } = item;
  const why = about?.reason ?? item.detail;
  const places = about
    ? [
        `${plain(about.fileName)}, row ${about.firstRow}`,
        ...(about.resultPath ? [plain(about.resultPath)] : []),
      ]
    : [];
  return [
    why === null ? '' : `: ${inZone(plain(why), timeZone)}`,
    places.length > 0 ? ` (${places.join('; ')})` : '',
    cause === undefined ? '' : `. What to do: ${serviceCause(cause, account ?? 'NAME').advice}`,
  ].join('');
};

/** The arguments that select POs in a command line: few by their numbers, many by their common reason. */
const commandTargets = (sections: readonly Section[], counts: Record<string, number>): string => {
  const [account, ...others] = accountsOf(sections);
  const subjects = sections.flatMap(({ first }) => first.map(({ subject }) => plain(subject)));
  const [reason, ...otherReasons] = Object.keys(counts);
  if (account === undefined || others.length > 0) return 'PO …';
  if (totalOf(sections) <= 3) return `${subjects.map(shellWord).join(' ')} --account ${account}`;
  return reason !== undefined && otherReasons.length === 0
    ? `--reason ${reason} --account ${account}`
    : `PO … --account ${account}`;
};

const linkOf = (
  consoleUrl: string | undefined,
  { purchaseOrderId, importId }: Section['first'][number],
): string => {
  if (consoleUrl === undefined) return '';
  const page =
    purchaseOrderId !== null
      ? `purchase-orders/${purchaseOrderId}`
      : importId !== null
        ? `imports/${importId}`
        : undefined;
  return page === undefined ? '' : ` ${consoleUrl.replace(/\/$/, '')}/${page}`;
};

const totalOf = (sections: readonly Section[]): number => sections.reduce((sum, { count }) => sum + count, 0);

const settledOf = (sections: readonly Section[]): number =>
  sections.reduce((sum, { settled = 0 }) => sum + settled, 0);

const headingOf = (kind: EventKind, sections: readonly Section[]): string => {
  const { one, many, settled: words }: EventKindWords = eventKinds[kind];
  const total = totalOf(sections);
  const settled = settledOf(sections);
  if (total === 0 && settled > 0)
    return `Settled by now: ${number(settled)} ${(settled === 1 ? words?.one : words?.many) ?? many}`;
  const [first] = sections[0]!.first;
  return total === 1 && first ? one.replace('{subject}', plain(first.subject)) : `${number(total)} ${many}`;
};

const accountsOf = (sections: readonly Section[]): string[] => [
  ...new Set(sections.flatMap(({ account }) => (account === null ? [] : [account]))),
];

const eventsParagraph = (
  kind: EventKind,
  sections: readonly Section[],
  { timeZone, consoleUrl, dropPlaces }: TextOptions,
): MessageText['paragraphs'][number] => {
  const heading = headingOf(kind, sections);
  const accounts = accountsOf(sections);
  const named = sections
    .flatMap(({ first, account }) => first.map((item) => ({ ...item, account })))
    .slice(0, namedEvents);
  const more = totalOf(sections) - named.length;
  const counts = addCounts(sections);
  const from = sections.map((one) => one.from).toSorted()[0]!;
  const until = sections
    .map((one) => one.until)
    .toSorted()
    .at(-1)!;
  const whose =
    accounts.length === 0
      ? ''
      : accounts.length <= 3
        ? `${accounts.length === 1 ? 'Account' : 'Accounts'} ${accounts.join(', ')}, `
        : `${number(accounts.length)} accounts, `;
  const places = new Set(accounts.map((account) => plain(dropPlaces?.get(account) ?? 'inbox/')));
  const { advice: words }: EventKindWords = eventKinds[kind];
  const advice = words
    .replace('{place}', () => [...places].join(' or ') || 'inbox/')
    .replaceAll('{pos}', () => commandTargets(sections, counts));
  const settled = settledOf(sections);
  const total = totalOf(sections);
  const isAccount = kind === 'account_paused' || kind === 'account_resumed';
  return {
    heading,
    lines: [
      `${whose}${between({ from, until }, timeZone)}`,
      ...holdLines(counts),
      ...named.map((item) => {
        const detail = aboutItem(item, item.account, timeZone);
        const account =
          accounts.length > 1 && item.account !== null && !isAccount ? ` (${item.account})` : '';
        return `- ${plain(item.subject)}${account}${detail}${linkOf(consoleUrl, item)}`;
      }),
      ...(more > 0 ? [`- and ${number(more)} more`] : []),
      ...(settled > 0 && total > 0
        ? [`${number(settled)} more ${settled === 1 ? 'was' : 'were'} settled before this message was sent.`]
        : []),
      ...(advice === 'Nothing.' || total === 0 ? [] : [`What to do: ${advice}`]),
    ],
  };
};

/** Words that follow the number one, and other numbers. */
const summaryWords: [name: string, one: string, many: string][] = [
  ['files', 'file imported', 'files imported'],
  ['refused', 'file refused', 'files refused'],
  ['ordered', 'purchase order ordered', 'purchase orders ordered'],
  ['failed', 'failed', 'failed'],
  ['rejected', 'rejected', 'rejected'],
  ['held', 'held now', 'held now'],
  ['alarms', 'with an alarm now', 'with an alarm now'],
  ['paused', 'paused now', 'paused now'],
];

const summaryParagraphs = (sections: readonly Section[]): MessageText['paragraphs'] => {
  const say = (counts: Record<string, number>): string =>
    summaryWords
      .flatMap(([name, one, many]) =>
        counts[name] ? [`${number(counts[name])} ${counts[name] === 1 ? one : many}`] : [],
      )
      .join(', ') || 'nothing happened';
  const busy = sections.filter(({ counts }) => Object.values(counts).some((n) => n > 0));
  const shown = busy.slice(0, 50);
  return [
    {
      heading: `The last 24 hours: ${say(addCounts(sections))}`,
      lines: [
        ...(sections.length > 1 ? shown.map(({ account, counts }) => `- ${account}: ${say(counts)}`) : []),
        ...(busy.length > shown.length ? [`- and ${number(busy.length - shown.length)} more accounts`] : []),
      ],
    },
  ];
};

export interface TextOptions {
  timeZone: string;
  /** For links; undefined: none. */
  consoleUrl: string | undefined;
  /** Where to put the files of accounts; default: into inbox/. */
  dropPlaces?: ReadonlyMap<string, string> | undefined;
}

const testParagraph = {
  heading: 'This is a test of Cartwright’s notifications',
  lines: ['It was sent with `cartwright notify --test`. There is nothing to do.'],
};

/** Writes the text of a message, alarms first. Pure. */
export const writeText = (sections: readonly Section[], options: TextOptions): MessageText => {
  const rankOf = ({ kind }: Section) => (severities as readonly string[]).indexOf(severityOf(kind));
  const sorted = sections.toSorted((a, b) => rankOf(b) - rankOf(a));
  const kinds = [...new Set(sorted.map(({ kind }) => kind))];
  const paragraphs = kinds.flatMap((kind) => {
    const own = sorted.filter((section) => section.kind === kind);
    if (kind === 'summary') return summaryParagraphs(own);
    return kind === 'test' ? [testParagraph] : [eventsParagraph(kind, own, options)];
  });
  const accounts = accountsOf(sections.filter(({ kind }) => kind !== 'summary'));
  const whose = accounts.length === 1 ? `${accounts[0]}: ` : '';
  const headings = paragraphs.map(({ heading }) => heading);
  const subject = `${whose}${headings.slice(0, 3).join('; ')}${headings.length > 3 ? '; and more' : ''}`;
  return {
    subject: subject.length <= 150 ? subject : `${subject.slice(0, 149)}…`,
    severity: severityOf(kinds[0] ?? 'test'),
    paragraphs,
  };
};

/** Replaces every secret in a text, including its forms in an address and in Base64. Pure. */
export const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')])
    .reduce((clean, secret) => clean.replaceAll(secret, '[secret]'), text);
