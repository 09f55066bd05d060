import { type ChildProcess, fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { FileRefused } from '../../../errors.ts';
import type { IntakeOptions } from '../../options.ts';
import type { RawRow, TableSource } from '../../types.ts';
import { childProgram } from './child-program.ts';
import {
  answerDescriptor,
  type ChildAnswer,
  type ChildTask,
  type SpreadsheetKind,
  unpackRow,
} from './child-protocol.ts';
import type { MarkupEncoding } from './markup-encoding.ts';

const memoryCheckMs = 100;
const pageBytes = 4096;

/** Starts the child with an empty environment, so that a hostile file cannot read our secrets. */
const startChild = (memoryMb: number): ChildProcess =>
  fork(childProgram.file, [], {
    env: {},
    execArgv: [...childProgram.execArgv, `--max-old-space-size=${memoryMb}`, '--max-semi-space-size=8'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
  });

/** Resident bytes of a process on Linux, otherwise 0; the limit of the heap works everywhere. */
const residentBytes = async (pid: number): Promise<number> => {
  try {
    return Number((await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ')[1]) * pageBytes;
  } catch {
    return 0;
  }
};

/** Splits the answer stream into lines, which can be as long as a whole batch of rows. */
async function* linesOf(stream: Readable): AsyncGenerator<string> {
  let open: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      open.push(chunk.subarray(from, at));
      yield Buffer.concat(open).toString('utf8');
      open = [];
      from = at + 1;
    }
    if (from < chunk.length) open.push(chunk.subarray(from));
  }
}

/**
 * Opens a workbook in a child process and returns its tables. The child is killed when it uses more memory than `limits.memoryMb`, or when
 * waiting for its answers takes longer than `limits.timeoutMs` in total; time in which the child waits for us (a slow database) does not
 * count. This process only parses lines of JSON.
 *
 * @throws FileRefused with the child's refusals; `too_slow`, `too_much_memory`
 */
export const openSpreadsheet = async (request: {
  path: string;
  kind: SpreadsheetKind;
  /** For `html` and `xml`. */
  encoding?: MarkupEncoding | undefined;
  limits: IntakeOptions['limits'];
  signal: AbortSignal | undefined;
}): Promise<TableSource> => {
  const { path, kind, encoding, limits, signal } = request;
  signal?.throwIfAborted();
  const child = startChild(limits.memoryMb);
  let endedBy: FileRefused | undefined;
  let errors = '';
  let waitedMs = 0;
  let closed = false;
  const close = () => {
    closed = true;
    clearInterval(watch);
    signal?.removeEventListener('abort', close);
    child.kill('SIGKILL');
    child.stdio[answerDescriptor]?.destroy();
  };
  const watch = setInterval(async () => {
    const bytes = child.pid === undefined ? 0 : await residentBytes(child.pid);
    // Node and the libraries use about 80 MB in addition to the file.
    if (bytes > (limits.memoryMb + 96) * 1024 * 1024) end(tooMuchMemory(limits.memoryMb));
  }, memoryCheckMs);
  watch.unref();
  const end = (refusal: FileRefused) => {
    endedBy ??= refusal;
    close();
  };
  signal?.addEventListener('abort', close, { once: true });
  child.on('error', () => {});
  child.stderr?.on('data', (data: Buffer) => {
    if (errors.length < 8192) errors += data.toString('utf8');
  });
  const lines = linesOf(child.stdio[answerDescriptor] as Readable);

  /** The next answer. Only the time spent here counts towards the child's time limit. */
  const next = async (): Promise<ChildAnswer> => {
    const startedMs = performance.now();
    const timer = setTimeout(() => end(tooSlow(limits.timeoutMs)), Math.max(1, limits.timeoutMs - waitedMs));
    try {
      const line = await lines.next().catch((error: unknown) => {
        if (closed) return { done: true as const, value: undefined };
        throw error;
      });
      signal?.throwIfAborted();
      if (endedBy) throw endedBy;
      if (line.done) throw await diedOf(child, errors, limits.memoryMb);
      const answer = JSON.parse(line.value) as ChildAnswer;
      if (answer.kind === 'refused') throw new FileRefused(answer.code, answer.message, answer);
      return answer;
    } finally {
      clearTimeout(timer);
      waitedMs += performance.now() - startedMs;
    }
  };
  const ask = (message: ChildTask | { table: number }) => child.send(message, () => {});

  async function* rows(table: number): AsyncGenerator<RawRow[]> {
    ask({ table });
    for (;;) {
      const answer = await next();
      if (answer.kind === 'end') return;
      if (answer.kind === 'rows') yield answer.rows.map(unpackRow);
    }
  }
  try {
    ask({ path, kind, encoding: encoding?.encoding, limits });
    const answer = await next();
    if (answer.kind !== 'tables') throw new Error(`the spreadsheet reader answered ${answer.kind} first`);
    return {
      format: answer.format,
      decisions: encoding ? [encoding.decision] : [],
      ...(encoding ? { encoding: encoding.encoding } : {}),
      tables: answer.tables,
      rows,
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
};

const tooSlow = (timeoutMs: number) =>
  new FileRefused(
    'too_slow',
    `Reading the workbook took longer than ${timeoutMs / 1000} s. Remove unneeded content, split the workbook, or send it as CSV.`,
  );

const tooMuchMemory = (memoryMb: number) =>
  new FileRefused(
    'too_much_memory',
    `Reading the workbook needed more than ${memoryMb} MB of memory. Remove unneeded content, split the workbook, or send it as CSV.`,
  );

/** The error for a child that ended without an answer: out of memory, or not the fault of the file. */
const diedOf = async (child: ChildProcess, errors: string, memoryMb: number): Promise<Error> => {
  if (child.exitCode === null && child.signalCode === null) {
    await new Promise((resolve) => child.once('exit', resolve));
  }
  if (/heap out of memory|Allocation failed|FATAL ERROR/i.test(errors)) return tooMuchMemory(memoryMb);
  return new Error(
    `the spreadsheet reader ended with ${child.signalCode ?? `exit code ${child.exitCode}`}: ${errors.trim().slice(0, 500)}`,
  );
};
