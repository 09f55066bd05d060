import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ConsoleProblem, type ProblemCode, problemKinds } from './problems.ts';

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (one) => entities[one]!);

/** Whether a person opened a page that the web app does not draw itself, such as the queue board. */
export const isForeignPage = ({ url, headers, method }: FastifyRequest): boolean =>
  method === 'GET' &&
  /^\/(?:queues|api\/docs)(?:[/?]|$)/.test(url) &&
  /text\/html/.test(headers.accept ?? '');

/** Answers a problem as a plain page with a sentence, where a browser would show a JSON document. */
export const sendProblemPage = (
  reply: FastifyReply,
  code: ProblemCode,
  { detail }: ConsoleProblem['details'],
): FastifyReply => {
  const [status, title] = problemKinds[code];
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escaped(title)} – Cartwright</title>
<h1>${escaped(title)}</h1><p>${escaped(detail ?? `${title}.`)}</p><p><a href="/">Open the console</a></p></html>`,
    );
};
