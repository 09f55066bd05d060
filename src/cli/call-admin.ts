import type { Config } from '../config/config.ts';
import { readVariable } from '../config/load-config.ts';
import { plainCause, UserError } from '../errors.ts';
import { isForPeople } from './exit-codes.ts';

/** Options of the commands that control a running service; `host` and `port` are those of `cartwright service`. */
export interface AdminOptions {
  url?: string;
  host?: string;
  port?: string;
  adminTokenEnv?: string;
}

const baseUrlOf = ({ service }: Config, { url, host, port }: AdminOptions): string => {
  if (url !== undefined) return url.replace(/\/+$/, '');
  const address = host ?? service.host;
  const name = ['0.0.0.0', '::'].includes(address) ? '127.0.0.1' : address;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port ?? service.port}`;
};

const tokenOf = ({ service }: Config, { adminTokenEnv }: AdminOptions): string | undefined => {
  const name = adminTokenEnv ?? service.adminTokenEnv;
  if (name === '') return undefined;
  const token = readVariable(name);
  if (token === undefined)
    throw new UserError(
      'secret_missing',
      `The environment variable ${name} is not set. Set it to the admin token of the service.`,
    );
  return token;
};

interface ProblemAnswer {
  title?: string;
  detail?: string;
  errors?: { field: string; message: string }[];
}

/** The refused values and their source: an option by its name, anything else by the service's field name. */
const listErrors = (
  { detail = '', errors = [] }: ProblemAnswer,
  optionOf: Record<string, string>,
): string[] =>
  errors.flatMap(({ field, message }) => {
    const option = optionOf[field];
    if (option !== undefined) return [`${option} must be ${message}.`];
    // For seeds, the sentence names the seed and its fields.
    const isNamed = [field, field.replace(/^\d+\./, '')].some((name) =>
      detail.includes(`${name}: ${message}`),
    );
    return isNamed ? [] : [`  ${field}: ${message}`];
  });

const explain = (
  status: number,
  problem: ProblemAnswer,
  at: string,
  optionOf: Record<string, string>,
): UserError => {
  const { title, detail, errors = [] } = problem;
  const areOptions = errors.length > 0 && errors.every(({ field }) => field in optionOf);
  const sentence = areOptions ? [] : [detail ?? title ?? `status ${status}`];
  const [first = '', ...lines] = [...sentence, ...listErrors(problem, optionOf)];
  const text = [`The service at ${at} refused: ${first}`, ...lines].join('\n');
  // 404: it serves no /admin.
  if (status === 403 || status === 404) return new UserError('service_denied', text);
  return new UserError('refused', text);
};

/**
 * Calls an admin endpoint of a running dealer order service (docs/service.md#control-for-tests).
 *
 * @param path below /admin
 * @param optionOf the command's options, by the fields that they set
 * @throws UserError with the service's message; `service_down` if it cannot be reached
 */
export const callAdmin = async (
  config: Config,
  options: AdminOptions,
  {
    method,
    path,
    body,
    optionOf = {},
  }: { method: 'GET' | 'POST'; path: string; body?: unknown; optionOf?: Record<string, string> },
): Promise<unknown> => {
  const at = baseUrlOf(config, options);
  const token = tokenOf(config, options);
  try {
    const response = await fetch(`${at}/admin${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    if (!isJson) {
      const what = `status ${response.status}, ${text.length} characters that are not JSON`;
      throw new UserError(
        'service_down',
        `The program at ${at} does not answer like a dealer order service (${what}). Check --url.`,
      );
    }
    const answer = JSON.parse(text) as unknown;
    if (!response.ok) throw explain(response.status, answer as ProblemAnswer, at, optionOf);
    return answer;
  } catch (cause) {
    if (isForPeople(cause)) throw cause;
    const inner = (cause as { cause?: unknown }).cause ?? cause;
    throw new UserError(
      'service_down',
      `No dealer order service can be reached at ${at}: ${plainCause((inner as Error).message)}. Start it with \`cartwright service --admin\`, or name it with --url.`,
      { cause },
    );
  }
};
