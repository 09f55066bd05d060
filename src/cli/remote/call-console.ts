import type { Problem } from '../../api-contract/access.ts';
import { readVariable } from '../../config/load-config.ts';
import { messageOf, UserError } from '../../errors.ts';

const tokenVariable = 'CARTWRIGHT_API_TOKEN';

/** The API of a running console. */
export interface RemoteConsole {
  /** @param query undefined values are omitted */
  get<T>(path: string, query?: Record<string, unknown>): Promise<T>;
  post<T>(path: string, body: object): Promise<T>;
  /** Like `post`, but returns the console's sentence if its rules do not allow the request now. */
  try<T>(path: string, body: object): Promise<{ answer?: T; refusal?: string }>;
}

/**
 * Calls the API of a console at an address, with the token of the environment.
 *
 * @throws UserError `bad_url`, `token_missing`; calls throw UserError `console_down`, `console_refused`, and `not_possible` if the rules or
 *   another person's action forbid it
 */
export const callConsole = (address: string): RemoteConsole => {
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    throw new UserError(
      'bad_url',
      `--url must be the address of a console, such as http://127.0.0.1:8490 (got ${address}).`,
    );
  }
  const { username, password } = new URL(address);
  if (username !== '' || password !== '')
    throw new UserError(
      'bad_url',
      `--url must not contain a user name or a password. Remove them, and set ${tokenVariable} to a token of the console.`,
    );
  const token = readVariable(tokenVariable);
  if (token === undefined) {
    throw new UserError(
      'token_missing',
      `Set ${tokenVariable} to a token of the console at ${address}. \`cartwright tokens add NAME\` makes one there.`,
    );
  }
  const call = async <T>(path: string, more: RequestInit & { headers?: object } = {}): Promise<T> => {
    const headers = { authorization: `Bearer ${token}`, ...more.headers };
    let answer: Response;
    try {
      answer = await fetch(new URL(`/api/v1${path}`, address), { ...more, headers, redirect: 'error' });
    } catch (error) {
      const { cause } = error as { cause?: unknown };
      throw new UserError(
        'console_down',
        `Cannot reach the console at ${address}: ${messageOf(cause ?? error)}`,
      );
    }
    const body: unknown = await answer.json().catch(() => undefined);
    if (answer.ok && body !== undefined) return body as T;
    const { detail, code = '' } = (body ?? {}) as Partial<Problem>;
    throw new UserError(
      ['conflict', 'not_possible'].includes(code) ? 'not_possible' : 'console_refused',
      detail ?? `${address} answered ${answer.status}, and not as a console does. Check --url.`,
    );
  };
  const post = <T>(path: string, body: object): Promise<T> =>
    call(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return {
    get: (path, query = {}) => {
      const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, String(value)]],
      );
      const text = new URLSearchParams(given).toString();
      return call(text === '' ? path : `${path}?${text}`);
    },
    post,
    try: async <T>(path: string, body: object) => {
      try {
        return { answer: await post<T>(path, body) };
      } catch (thrown) {
        if (thrown instanceof UserError && thrown.code === 'not_possible') return { refusal: thrown.message };
        throw thrown;
      }
    },
  };
};
