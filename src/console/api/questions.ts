import { accountQuery } from '../../api-contract/basics.ts';
import {
  answerRequest,
  layoutActionAnswer,
  questionById,
  questionsAnswer,
} from '../../api-contract/layouts.ts';
import { whyNotAnswer } from '../../intake/layouts/known-values.ts';
import { answerQuestion, listQuestions } from '../../ledger/questions.ts';
import { answeredText } from '../answer-words.ts';
import type { ConsoleApp, ConsoleDeps } from '../console-app.ts';
import { chosenAccounts } from '../known-accounts.ts';
import { accountsOf, actorOf } from '../person.ts';
import { ConsoleProblem } from '../problems.ts';
import { routesOf } from './routes-of.ts';

const { act, view } = routesOf('Layouts');

/** Adds the questions about values that no file had before, and their answers. */
export const addQuestionRoutes = (app: ConsoleApp, deps: ConsoleDeps): void => {
  const { pool, work } = deps;

  app.get(
    '/questions',
    view('What is to be said about values that no file with their header had before', questionsAnswer, {
      querystring: accountQuery,
    }),
    async (request) => {
      const accounts = await chosenAccounts(deps, request, request.query.account);
      return { items: await listQuestions(pool, accounts) };
    },
  );

  app.post(
    '/questions/:id/answer',
    act(
      'Answer a question: its POs continue, and the answer is kept for files with this header',
      layoutActionAnswer,
      { params: questionById, body: answerRequest },
    ),
    async (request) => {
      const { id } = request.params;
      if ((request.body.answer === 'pieces') !== (request.body.pieces !== undefined))
        throw new ConsoleProblem(
          'invalid',
          'Say with the answer `pieces`, and only with it, how many pieces one is: pieces.',
        );
      const open = (await listQuestions(pool, accountsOf(request))).find((one) => one.id === id);
      const why =
        open && request.body.answer === 'pieces'
          ? whyNotAnswer(open.columnKey, open.valueKey, 'pieces 1')
          : undefined;
      if (why !== undefined) throw new ConsoleProblem('invalid', `The value ${why}.`);
      const answered = await answerQuestion(pool, id, request.body, actorOf(request), accountsOf(request));
      if (!answered)
        throw new ConsoleProblem(
          'conflict',
          'Nothing waits for this answer: somebody has given it, or decided about the POs, or there is no such question.',
        );
      await work.continueAnswered(answered.question.account);
      return { sentence: answeredText(answered, request.body) };
    },
  );
};
