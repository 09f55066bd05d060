import { keepPreviousData, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import type { Problem } from '../../../api-contract/access.ts';
import { toQuery } from './search-params.ts';

/** The console returned a problem or could not be reached. The message is a sentence for people. */
export class RequestFailed extends Error {
  override name = 'RequestFailed';
  readonly status: number;
  readonly code: string;
  readonly fields: { field: string; detail: string }[];
  /** The whole answer, which can have more fields than a problem, such as the result for each PO. */
  readonly answer: unknown;
  constructor(status: number, code: string, sentence: string, answer?: unknown) {
    super(sentence);
    this.status = status;
    this.code = code;
    this.answer = answer;
    this.fields = (answer as Partial<Problem> | undefined)?.errors ?? [];
  }
}

export type Query = Record<string, string | number | boolean | readonly string[] | undefined | null>;

interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  query?: Query | undefined;
  /** Sent as JSON; FormData is sent unchanged. */
  body?: unknown;
  signal?: AbortSignal | undefined;
  /** Throws on 401 instead of asking the person to sign in again. */
  asStranger?: boolean;
}

/** An API address with its query; empty values are omitted. */
export const apiUrl = (path: string, query: Query = {}): string => `/api/v1${path}${toQuery(query)}`;

let askToSignIn: (() => Promise<void>) | undefined;

/** Sets the handler for an ended session; its promise resolves once the same person has signed in again. */
export const onSessionEnded = (ask: (() => Promise<void>) | undefined): void => {
  askToSignIn = ask;
};

const unreachable =
  'The console cannot be reached. Check that you are connected, and that Cartwright runs on its server; this page tries again.';

/** The connection broke, but the console may have received the request. */
const unknownOutcome =
  'The connection to the console broke, so it is not known whether this was done. Look at what you wanted to change before you try again.';

const failureOf = async (response: Response): Promise<RequestFailed> => {
  const answer: Partial<Problem> | undefined = await response.json().catch(() => undefined);
  const sentence = answer?.detail ?? `The console answered ${response.status} without an explanation.`;
  return new RequestFailed(response.status, answer?.code ?? 'unknown', sentence, answer);
};

/**
 * One request to the console's API. If the session has ended, it waits until the person has signed in again and repeats the request, so
 * that no input is lost. The console refuses requests without a session before it does anything, so nothing is done twice.
 * @throws RequestFailed
 */
export const request = async <Answer>(path: string, options: RequestOptions = {}): Promise<Answer> => {
  const { method = 'GET', query, body, signal, asStranger = false } = options;
  const isForm = body instanceof FormData;
  const send = () =>
    fetch(apiUrl(path, query), {
      method,
      signal: signal ?? null,
      credentials: 'same-origin',
      headers: {
        accept: 'application/json',
        'x-cartwright': '1',
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : isForm ? body : JSON.stringify(body),
    }).catch((error: unknown) => {
      if (signal?.aborted) throw error;
      throw new RequestFailed(
        0,
        'unreachable',
        method === 'GET' || asStranger ? unreachable : unknownOutcome,
      );
    });
  let response = await send();
  if (response.status === 401 && !asStranger && askToSignIn) {
    await askToSignIn();
    response = await send();
  }
  if (!response.ok) throw await failureOf(response);
  return (response.status === 204 ? undefined : await response.json()) as Answer;
};

/** Sends a change. Undefined fields of the body are omitted. Most answers have a sentence about the result. */
export const post = <Answer = { sentence: string }>(path: string, body: object = {}): Promise<Answer> =>
  request<Answer>(path, { method: 'POST', body });

/** Reads from the API. The key begins with the topic of the live stream. */
export const useRead = <Answer>(
  queryKey: readonly unknown[],
  path: string,
  { query, ...options }: Omit<UseQueryOptions<Answer>, 'queryKey' | 'queryFn'> & { query?: Query } = {},
) =>
  useQuery<Answer>({
    queryKey,
    queryFn: ({ signal }) => request<Answer>(path, { query, signal }),
    ...options,
  });

/** One page of a list. Its cursor is in the page's address, so that the browser's back button goes back a page. */
export const usePage = <Page extends { items: unknown[]; next: string | null }>(
  topic: string,
  path: string,
  query: Query,
) => useRead<Page>([topic, path, query], path, { query, placeholderData: keepPreviousData as never });
