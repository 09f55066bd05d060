import type { Command } from 'commander';
import { answeredText } from '../../console/answer-words.ts';
import { UserError } from '../../errors.ts';
import { whyNotAnswer } from '../../intake/layouts/known-values.ts';
import { answerQuestion, listQuestions, type Question } from '../../ledger/questions.ts';
import { openLedgerToRead } from '../../worker/open-ledger.ts';
import { chooseAccounts } from '../choose-account.ts';
import { createConsoleWork } from '../console-work.ts';
import { openPool, operator } from '../open-pool.ts';
import { count, showFileName, showName, showText, showTime } from '../output/show-text.ts';
import { sayWrapped, type Terminal } from '../output/terminal.ts';
import { runCommand } from '../run-command.ts';

interface AnswerOptions {
  account?: string;
  column?: boolean;
  note?: string;
}

const answers = { order: 'order', 'leave-out': 'leave_out', ask: 'ask', pieces: 'pieces' } as const;
const isAnswer = (word: string): word is keyof typeof answers => Object.hasOwn(answers, word);

/** The length of a shown ID. */
const shownId = 8;

const draw = (terminal: Terminal, questions: readonly Question[]): string =>
  questions
    .map((one) =>
      terminal.wrap(
        `${terminal.paint('bold', one.id.slice(0, shownId))}  ${one.account}, ${showFileName(one.fileName)}: ${showText(one.message)} ${count(one.rows, 'row')} of ${count(one.purchaseOrders, 'PO')}, the first is ${showName(terminal, one.firstPo.poNumber)}, since ${showTime(new Date(one.since))}. \`cartwright answer ${one.id.slice(0, shownId)} order\`, or leave-out, ask, pieces N; with --column for all others of this column, also in later files.`,
        shownId + 2,
      ),
    )
    .join('\n');

const find = (questions: readonly Question[], id: string): Question => {
  const found = questions.filter((one) => one.id.startsWith(id.toLowerCase()));
  if (found.length === 1) return found[0]!;
  throw new UserError(
    'question_unknown',
    found.length === 0
      ? `There is no open question ${id}. Run \`cartwright answer\` to list those that are open.`
      : `${found.length} open questions begin with ${id}. Write more of the ID.`,
  );
};

/** @throws UserError `bad_argument` */
const piecesOf = (number: string | undefined, id: string): number => {
  const pieces = /^[1-9]\d{0,4}$/.test(number ?? '') ? Number(number) : undefined;
  if (pieces !== undefined) return pieces;
  throw new UserError(
    'bad_argument',
    `Write how many pieces one in the quantity is, for example: cartwright answer ${id} pieces 12`,
  );
};

export const addAnswerCommand = (program: Command): void => {
  program
    .command('answer')
    .description(
      'A row with a value that no file with its header had before holds its PO. Without arguments, lists these questions. With an ID, answers one: `order` such rows, `leave-out` such rows, `ask` each time, or `pieces` with a number, if one in the quantity is so many pieces (a dozen: 12). The answer is kept for files with this header, and the POs continue.',
    )
    .argument('[id]', 'ID of a question, or its beginning')
    .argument('[answer]', 'order, leave-out, ask or pieces')
    .argument('[number]', 'with pieces: how many pieces one in the quantity is')
    .option('--account <name>', 'only this account')
    .option('--column', 'the same answer for all other new values of the column, also in later files')
    .option('--note <text>', 'note to record in the ledger')
    .addHelpText(
      'after',
      `
Examples:
  cartwright answer
  cartwright answer 3f2a91c0 leave-out --note "as Dana says"
  cartwright answer 3f2a91c0 order --column
  cartwright answer 3f2a91c0 pieces 12`,
    )
    .action(
      runCommand<AnswerOptions>(
        'task',
        async (context, [id, word, number], { account, column = false, note }) => {
          const { config, terminal } = context;
          const names = chooseAccounts(config, account).map(({ name }) => name);
          if (id === undefined) {
            const questions = await listQuestions(await openPool(context, openLedgerToRead), names);
            terminal.answer({ questions });
            terminal.say(questions.length > 0 ? draw(terminal, questions) : 'There is no open question.');
            return 'fine';
          }
          if (word === undefined || !isAnswer(word))
            throw new UserError(
              'bad_argument',
              `Write the answer after the ID: ${Object.keys(answers).join(', ')}. For example: cartwright answer ${id} order`,
            );
          if (number !== undefined && word !== 'pieces')
            throw new UserError(
              'bad_argument',
              `A number belongs to pieces only. Write: cartwright answer ${id} pieces ${number}, or leave out the number.`,
            );
          const runtime = await context.open({ places: false });
          const { pool } = runtime.ledger;
          const question = find(await listQuestions(pool, names), id);
          const pieces = word === 'pieces' ? piecesOf(number, id) : undefined;
          const why =
            word === 'pieces' ? whyNotAnswer(question.columnKey, question.valueKey, 'pieces 1') : undefined;
          if (why !== undefined) throw new UserError('bad_argument', `The value ${why}.`);
          const given = { answer: answers[word], wholeColumn: column, note, pieces };
          const answered = await answerQuestion(pool, question.id, given, operator(), names);
          if (!answered) {
            terminal.answer({ sentence: null });
            terminal.say('Nothing was changed: somebody has answered this question meanwhile.');
            return 'notAllDone';
          }
          await createConsoleWork(runtime).continueAnswered(question.account);
          const sentence = answeredText(answered, given);
          terminal.answer({ sentence, ...answered });
          sayWrapped(terminal, showText(sentence), 0);
          return 'fine';
        },
      ),
    );
};
