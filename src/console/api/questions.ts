import { z } from 'zod';
import { type Answered, answerQuestion, listQuestions, type Question } from '../../ledger/questions.ts';
import type { ConsoleApp, ConsoleDeps } from '../console-app.ts';
import { chosenAccounts } from '../known-accounts.ts';
import { accountsOf, actorOf } from '../person.ts';
import { ConsoleProblem } from '../problems.ts';
import { accountName } from './schemas/basics.ts';
import {
  answerRequest,
  layoutActionAnswer,
  questionById,
  questionsAnswer,
  type ShownQuestion,
} from './schemas/layouts.ts';

const tags = ['Layouts'];

export const presentQuestion = (one: Question): ShownQuestion => ({ ...one, since: one.since.toISOString() });

const pos = (count: number): string => `${count.toLocaleString('en-US')} PO${count === 1 ? '' : 's'}`;

/** What became of an answer, in a sentence. Pure. */
export const answeredText = (
  { question, purchaseOrderIds, leftOutRows }: Answered,
  { answer, wholeColumn = false }: { answer: 'order' | 'leave_out' | 'ask'; wholeColumn?: boolean },
): string => {
  const what = wholeColumn
    ? `any value of "${question.column}"`
    : `"${question.value}" in "${question.column}"`;
  if (answer === 'ask')
    return `${what} is asked about each time. ${pos(question.purchaseOrders)} ${question.purchaseOrders === 1 ? 'waits' : 'wait'} on: release or cancel ${question.purchaseOrders === 1 ? 'it' : 'them'}.`;
  const rows = `${leftOutRows.toLocaleString('en-US')} ${leftOutRows === 1 ? 'row is' : 'rows are'} left out. `;
  const others = question.purchaseOrders - purchaseOrderIds.length;
  const rest =
    others > 0
      ? ` ${pos(others)} ${others === 1 ? 'is' : 'are'} not: see ${others === 1 ? 'it' : 'them'} for why.`
      : '';
  return `${answer === 'leave_out' ? rows : ''}${pos(purchaseOrderIds.length)} ${purchaseOrderIds.length === 1 ? 'goes' : 'go'} on.${rest} From now on rows with ${what} are ${answer === 'order' ? 'ordered' : 'left out'}.`;
};

/** Adds the questions about values that no file had before, and their answers. */
export const addQuestionRoutes = (app: ConsoleApp, deps: ConsoleDeps): void => {
  const { pool, work } = deps;

  app.get(
    '/questions',
    {
      config: { needs: 'view' },
      schema: {
        summary: 'What is to be said about values that no file with their header had before',
        tags,
        querystring: z.object({ account: accountName.optional() }),
        response: { 200: questionsAnswer },
      },
    },
    async (request) => {
      const accounts = await chosenAccounts(deps, request, request.query.account);
      return { items: (await listQuestions(pool, accounts)).map(presentQuestion) };
    },
  );

  app.post(
    '/questions/:id/answer',
    {
      config: { needs: 'act' },
      schema: {
        summary: 'Say what a value means: its POs go on, and the answer is kept for files with this header',
        tags,
        params: questionById,
        body: answerRequest,
        response: { 200: layoutActionAnswer },
      },
    },
    async (request) => {
      const { id } = request.params;
      const answered = await answerQuestion(pool, id, request.body, actorOf(request), accountsOf(request));
      if (!answered)
        throw new ConsoleProblem(
          'conflict',
          'Nothing waits for this answer any more: somebody has given it, or decided about the POs.',
        );
      await work.enqueueChanged(answered.purchaseOrderIds);
      return { sentence: answeredText(answered, request.body) };
    },
  );
};
