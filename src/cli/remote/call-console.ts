import { readVariable } from '../../config/load-config.ts';
import type { Problem } from '../../console/api/schemas/access.ts';
import { messageOf, UserError } from '../../errors.ts';

const tokenVariable = 'CARTWRIGHT_API_TOKEN';

/** The API of a running console. */
export interface RemoteConsole {
  get<T>(path: string, query?: Record<string, string | undefined>): Promise<T>;
}

/**
 * Calls the API of a console at an address, with the token of the environment.
 *
 * @throws UserError `bad_url`, `token_missing`; calls throw UserError `console_down` and `console_refused`
 */
export const callConsole = (address: string): RemoteConsole => {
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    throw new UserError(
      'bad_url',
      `--url must be the address of a console, such as http://127.0.0.1:8490 (got ${address}).`,
    );
  }
  const token = readVariable(tokenVariable);
  if (token === undefined) {
    throw new UserError(
      'token_missing',
      `Set ${tokenVariable} to a token of the console at ${address}. \`cartwright tokens add NAME\` makes one there.`,
    );
  }
  const call = async <T>(path: string): Promise<T> => {
    const headers = { authorization: `Bearer ${token}` };
    let answer: Response;
    try {
      answer = await fetch(new URL(`/api/v1${path}`, address), { headers, redirect: 'error' });
    } catch (error) {
      const { cause } = error as { cause?: unknown };
      throw new UserError(
        'console_down',
        `Cannot reach the console at ${address}: ${messageOf(cause ?? error)}`,
      );
    }
    const body: unknown = await answer.json().catch(() => undefined);
    if (answer.ok && body !== undefined) return body as T;
    const { detail } = (body ?? {}) as Partial<Problem>;
    throw new UserError(
      'console_refused',
      detail ?? `${address} answered ${answer.status}, and not as a console does. Check --url.`,
    );
  };
  return {
    get: (path, query = {}) => {
      const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
      const text = new URLSearchParams(given).toString();
      return call(text === '' ? path : `${path}?${text}`);
    },
  };
};
