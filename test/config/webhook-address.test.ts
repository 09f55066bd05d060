import { expect, test } from 'vitest';
import { withoutCredentials } from '../../src/config/describe-settings.ts';
import { notificationSchema } from '../../src/config/notification-schema.ts';

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

test('an address is shown without what may be secret in it', () => {
  expect(withoutCredentials('https://u:canary@example.com/hook?token=canary')).toBe(
    'https://example.com/hook?…',
  );
  expect(withoutCredentials('https://example.com/hook?token=canary')).toBe('https://example.com/hook?…');
  expect(withoutCredentials('https://example.com/hook')).toBe('https://example.com/hook');
  expect(withoutCredentials('what is this?')).toBe('what is this?');
});
