import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { ProblemEntry } from '../contract/problems.ts';
import type { ServiceConfig } from './config.ts';
import { type ProblemCode, sendProblem } from './problems.ts';

/** What an endpoint made of a request, before it is written to the client. */
export type Answer =
  | { kind: 'ok'; body: object }
  | { kind: 'list'; pages: AsyncIterable<object[]> }
  | { kind: 'problem'; code: ProblemCode; detail?: string; errors?: ProblemEntry[] };

export const jsonType = 'application/json; charset=utf-8';

/** The pieces of one JSON array out of pages, so that only one page is in memory at a time. */
async function* arrayText(pages: AsyncIterable<object[]>, [before, after]: [string, string]) {
  let separator = `${before}[`;
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield separator + page.map((entry) => JSON.stringify(entry)).join(',');
    separator = ',';
  }
  yield separator === ',' ? `]${after}` : `${separator}]${after}`;
}

/** The text of a successful answer, bare or in its envelope (open-points.md). */
export const answerText = (
  answer: Exclude<Answer, { kind: 'problem' }>,
  envelope: ServiceConfig['envelope'],
): string | Readable => {
  const around: [string, string] = envelope === 'data' ? ['{"data":', '}'] : ['', ''];
  return answer.kind === 'ok'
    ? `${around[0]}${JSON.stringify(answer.body)}${around[1]}`
    : Readable.from(arrayText(answer.pages, around));
};

/** Sends an answer. A list that fails half way ends in a cut connection, never in a shorter list. */
export const sendAnswer = (
  reply: FastifyReply,
  answer: Answer,
  envelope: ServiceConfig['envelope'],
): FastifyReply =>
  answer.kind === 'problem'
    ? sendProblem(reply, answer.code, answer)
    : reply.code(200).header('content-type', jsonType).send(answerText(answer, envelope));
