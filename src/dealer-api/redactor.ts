import type { CallResult } from './answers.ts';
import type { ApiOptions } from './options.ts';

/** Removes the secret from messages, because the service or a library may repeat what was sent. */
export const createRedactor = (options: ApiOptions) => {
  const { auth, secret = '' } = options;
  const basic = auth.kind === 'basic' ? Buffer.from(`${auth.user}:${secret}`).toString('base64') : '';
  const forms = [
    basic,
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ '': secret }).toString().slice(1),
  ].filter((form) => form !== '');
  return <T>(result: CallResult<T>): CallResult<T> =>
    result.kind === 'ok'
      ? result
      : {
          ...result,
          message: forms.reduce((text, form) => text.replaceAll(form, '[secret]'), result.message),
        };
};
