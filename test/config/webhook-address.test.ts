import { expect, test } from 'vitest';
import { notificationSchema } from '../../src/config/notification-schema.ts';
import { withoutSecrets } from '../../src/config/secret-settings.ts';

const route = (url: string) =>
  notificationSchema.safeParse({ routes: { shop: { kind: 'webhook', url, secretEnv: 'HOOK' } } });

test('the address of a webhook has no user and password', () => {
  expect(route('https://example.com/hook?a=b@c').success).toBe(true);
  for (const url of ['https://u:canary@example.com/hook', 'http://canary@example.com']) {
    const message = route(url).error?.issues[0]?.message;
    expect(message).toMatch(/^must not contain a user or password/);
    expect(message).not.toContain('canary');
  }
});

const shown = (address: string) => withoutSecrets(address, { format: 'uri' }, '…');

test('an address is shown without what may be secret in it', () => {
  expect(shown('https://u:canary@example.com/hook?token=canary')).toBe('https://example.com/hook?…');
  expect(shown('https://example.com/hook?token=canary')).toBe('https://example.com/hook?…');
  expect(shown('https://example.com/hook')).toBe('https://example.com/hook');
  expect(shown('what is this?')).toBe('what is this?');
});
