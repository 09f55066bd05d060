import { expect, test } from 'vitest';
import { commandsFor } from '../../src/cli/output/hold-advice.ts';
import { groupActions } from '../../src/console/offered-actions.ts';

const names = (reasonCode: string): string[] =>
  commandsFor(
    groupActions(reasonCode).map(({ action }) => action),
    'PO-7',
  ).map((command) => command.replace(/^cartwright (.+) PO-7$/, '$1'));

test.each([
  ['submission_unknown', ['release', 'adopt', 'cancel', 'submit-again']],
  ['foreign_cart', ['release', 'cancel']],
  ['service_unstable', ['release', 'cancel']],
  ['already_ordered', ['adopt', 'cancel']],
  ['cannot_verify', ['adopt', 'cancel', 'release']],
  ['price_above', ['release', 'cancel']],
])('a PO that is held as %s shows a command for each action that its rules allow', (reasonCode, commands) => {
  expect(names(reasonCode)).toEqual(commands);
});

test('the commands name the PO as a shell reads it', () => {
  expect(commandsFor(['cancel'], "it's 7")).toEqual(["cartwright cancel 'it'\\''s 7'"]);
});

test('where another PO has the number, too, they name the import', () => {
  expect(commandsFor(['cancel'], 'PO-7', '12')).toEqual(['cartwright cancel PO-7 --import 12']);
});
