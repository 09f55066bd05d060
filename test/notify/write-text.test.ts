import { expect, test } from 'vitest';
import { eventKinds } from '../../src/notify/kinds.ts';
import { isOfAccount, sectionsOf } from '../../src/notify/plan-messages.ts';
import type { NotificationEvent } from '../../src/notify/types.ts';
import { withoutSecrets, writeText } from '../../src/notify/write-text.ts';

const options = { timeZone: 'America/Chicago', consoleUrl: 'https://orders.example.com/' };
const event = (over: Partial<NotificationEvent> = {}): NotificationEvent => ({
  ...{ id: '1', at: new Date('2026-11-23T16:30:00Z'), kind: 'po_held', account: 'north', subject: 'PO-1' },
  ...{ detail: 'backorder', purchaseOrderId: '7', importId: '3' },
  ...over,
});

test('a refused file is to be put again where the files of its account are put', () => {
  const dropPlaces = new Map([['south', 'orders at the SFTP server sftp.example.com:22']]);
  const told = (...accounts: string[]) =>
    writeText(
      sectionsOf(accounts.map((account) => event({ kind: 'file_refused', account, subject: 'orders.csv' }))),
      { ...options, dropPlaces },
    ).paragraphs[0]!.lines.at(-1);
  expect(told('north')).toMatch(/put it into inbox\/ again\.$/);
  expect(told('south')).toMatch(/put it into orders at the SFTP server sftp\.example\.com:22 again\.$/);
  expect(told('north', 'south')).toMatch(/put it into inbox\/ or orders at the SFTP server/);
});

test('one held PO: which, why, since when, what to do, and its page', () => {
  const { subject, severity, paragraphs } = writeText(sectionsOf([event()]), options);
  expect({ subject, severity }).toEqual({
    subject: 'north: Purchase order PO-1 is held',
    severity: 'warning',
  });
  expect(paragraphs).toEqual([
    {
      heading: 'Purchase order PO-1 is held',
      lines: [
        'Account north, 2026-11-23 10:30 America/Chicago',
        expect.stringMatching(/^1 as backorder: Some of its items .* Release it/),
        '- PO-1: backorder https://orders.example.com/purchase-orders/7',
        'What to do: Decide in the console, or with `cartwright release PO-1 --account north` or `cartwright cancel PO-1 --account north` (`adopt` where the service has the order already).',
      ],
    },
  ]);
});

test('what decides about a held PO is in the message: the numbers, the file, the row, and the command', () => {
  const about = {
    reason: 'Row 3: A-1 costs 12.00, and the file expects 10.00.',
    fileName: 'orders.csv',
    firstRow: 3,
    resultPath: 'results/orders.csv.3.result.csv',
  };
  const { paragraphs } = writeText(
    sectionsOf([event({ subject: 'PO 1', detail: 'price_above', about })]),
    options,
  );
  expect(paragraphs[0]!.lines.at(-2)).toBe(
    '- PO 1: Row 3: A-1 costs 12.00, and the file expects 10.00. (orders.csv, row 3; results/orders.csv.3.result.csv) https://orders.example.com/purchase-orders/7',
  );
  expect(paragraphs[0]!.lines.at(-1)).toContain("`cartwright release 'PO 1' --account north`");
  const many = ['1', '2', '3', '4'].map((subject) => event({ subject, detail: 'price_above' }));
  expect(writeText(sectionsOf(many), options).paragraphs[0]!.lines.at(-1)).toContain(
    '`cartwright release --reason price_above --account north`',
  );
});

test('a paused account says what to do about its cause, for each account', () => {
  const paused = ['north', 'south'].map((account) =>
    event({
      ...{ kind: 'account_paused', account, subject: account, purchaseOrderId: null, importId: null },
      detail: 'cannot connect to https://x (its certificate has expired)',
      cause: account === 'north' ? 'certificate_expired' : null,
    }),
  );
  const { lines } = writeText(sectionsOf(paused), options).paragraphs[0]!;
  expect(lines[1]).toMatch(/^- north: .* What to do: Ask the operator of the service to renew it/);
  expect(lines[2]).not.toContain('What to do');
});

test('all times of a message are in one zone, also those of its recorded sentences', () => {
  const { paragraphs } = writeText(
    sectionsOf([
      event({
        kind: 'nothing_arrived',
        subject: 'north',
        detail: 'A file should have come by 2026-11-23 15:30 UTC; none has since 2026-11-23T06:00:00.000Z.',
      }),
    ]),
    options,
  );
  expect(paragraphs[0]!.lines[1]).toBe(
    '- north: A file should have come by 2026-11-23 09:30 America/Chicago; none has since 2026-11-23 00:00 America/Chicago. https://orders.example.com/purchase-orders/7',
  );
  expect(JSON.stringify(paragraphs)).not.toContain('UTC');
});

test('many of several accounts: counts and the first ten; alarms come first', () => {
  const held = Array.from({ length: 300 }, (_, n) =>
    event({ subject: `H-${n + 1}`, account: n % 2 ? 'north' : 'south' }),
  );
  const alarm = event({ kind: 'order_alarm', subject: 'A-1', detail: 'Larger quantities.' });
  const { subject, severity, paragraphs } = writeText(sectionsOf([...held, alarm]), options);
  expect(severity).toBe('alarm');
  expect(subject).toBe(
    'The order of purchase order A-1 is not as it should be; 300 purchase orders are held',
  );
  expect(paragraphs[1]!.lines.filter((line) => line.startsWith('- H-'))).toHaveLength(10);
  expect(paragraphs[1]!.lines).toContain('- and 290 more');
});

test('text of files adds no lines or headers, and long text is cut', () => {
  const name = `x\r\nBcc: all@example.com\u202e${'y'.repeat(400)}.csv`;
  const sections = sectionsOf([event({ kind: 'file_refused', subject: name, detail: 'a\nb' })]);
  const { subject, paragraphs } = writeText(sections, options);
  const all = [subject, ...paragraphs.flatMap(({ heading, lines }) => [heading, ...lines])];
  for (const line of all) expect(line).not.toMatch(/[\r\n\u202e]/);
  expect(subject.length).toBeLessThanOrEqual(150);
});

test.each(Object.keys(eventKinds) as (keyof typeof eventKinds)[])(
  '%s reads well alone and in numbers',
  (kind) => {
    const one = writeText(sectionsOf([event({ kind })]), options);
    const many = writeText(
      sectionsOf([
        event({ kind }),
        event({ kind, subject: 'another', account: isOfAccount(kind) ? 'south' : 'north' }),
      ]),
      options,
    );
    expect(one.subject).not.toContain('{subject}');
    expect(many.subject).toMatch(/^(?:north: )?2 [a-z]/);
  },
);

test('a summary names what there was, and the accounts where there was something', () => {
  const section = (account: string, counts: Record<string, number>) => ({
    ...{ kind: 'summary' as const, account, count: 1, counts, first: [] },
    ...{ from: '2026-11-23T13:00:00Z', until: '2026-11-23T13:00:00Z' },
  });
  const sections = [section('north', { files: 2, ordered: 1200, held: 3 }), section('south', { files: 0 })];
  expect(writeText(sections, options)).toMatchObject({
    subject: 'The last 24 hours: 2 files imported, 1,200 purchase orders ordered, 3 held now',
    paragraphs: [{ lines: ['- north: 2 files imported, 1,200 purchase orders ordered, 3 held now'] }],
  });
  expect(writeText([section('south', {})], options).subject).toBe('The last 24 hours: nothing happened');
});

test('secrets are replaced, also as an address or Base64 has them', () => {
  const secret = 'p@ss word';
  const encoded = [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')];
  expect(withoutSecrets(encoded.join(' | '), [secret])).toBe('[secret] | [secret] | [secret]');
});
