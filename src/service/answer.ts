import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { ProblemEntry } from '../contract/problems.ts';
import type { ServiceConfig } from './config.ts';
import { type ProblemCode, sendProblem } from './problems.ts';

/** An endpoint's response before it is written to the client. */
export type Answer =
  | { kind: 'ok'; body: object }
  | { kind: 'list'; pages: AsyncIterable<object[]> }
  | { kind: 'problem'; code: ProblemCode; detail?: string; errors?: ProblemEntry[] };

export const ok = (body: object): Answer => ({ kind: 'ok', body });

export const problem = (code: ProblemCode, errors?: ProblemEntry[]): Answer => ({
  kind: 'problem',
  code,
  ...(errors ? { errors } : {}),
});

export const jsonType = 'application/json; charset=utf-8';

/** Serialises pages as one JSON array, with one page in memory at a time. */
async function* arrayText(pages: AsyncIterable<object[]>, [before, after]: [string, string]) {
  let separator = `${before}[`;
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield separator + page.map((entry) => JSON.stringify(entry)).join(',');
    separator = ',';
  }
  yield separator === ',' ? `]${after}` : `${separator}]${after}`;
}

/** Waits for the first page, so that an error before it is still answered as a problem. */
export const startReading = async <T>(
  pages: AsyncGenerator<T, void, undefined>,
): Promise<AsyncIterable<T>> => {
  const first = await pages.next();
  return (async function* () {
    if (!first.done) yield first.value;
    yield* pages;
  })();
};

/** The text of a successful answer, with or without the configured envelope (spec 9). */
export const answerText = (
  answer: Exclude<Answer, { kind: 'problem' }>,
  envelope: ServiceConfig['envelope'],
): string | Readable => {
  const around: [string, string] = envelope === 'data' ? ['{"data":', '}'] : ['', ''];
  return answer.kind === 'ok'
    ? `${around[0]}${JSON.stringify(answer.body)}${around[1]}`
    : Readable.from(arrayText(answer.pages, around));
};

/** Sends an answer. If a list fails while it is streamed, cuts the connection, so that no client takes a part for the whole list. */
export const sendAnswer = (
  reply: FastifyReply,
  answer: Answer,
  envelope: ServiceConfig['envelope'],
): FastifyReply =>
  answer.kind === 'problem'
    ? sendProblem(reply, answer.code, answer)
    : reply.code(200).header('content-type', jsonType).send(answerText(answer, envelope));
