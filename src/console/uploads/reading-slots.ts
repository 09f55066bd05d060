import type { FastifyReply } from 'fastify';
import { ConsoleProblem } from '../problems.ts';
import { createSlots } from '../slots.ts';

/** Runs the work when a slot is free. Its signal aborts if the person leaves or it takes too long. */
export type ReadingSlots = <T>(reply: FastifyReply, work: (signal: AbortSignal) => Promise<T>) => Promise<T>;

const atOnce = 2;
const mostWaiting = 20;
const limitMs = 120_000;

/**
 * Lets only some files be read at a time, because reading takes a processor, and a large file a connection to the ledger
 * for as long.
 */
export const createReadingSlots = (): ReadingSlots => {
  const slots = createSlots(atOnce, mostWaiting);
  return async (reply, work) => {
    const left = new AbortController();
    const noteLeft = () => {
      if (!reply.raw.writableFinished) left.abort();
    };
    reply.raw.on('close', noteLeft);
    if (!(await slots.enter()))
      throw new ConsoleProblem(
        'too_many_requests',
        'Too many files are being read for other persons right now. Try again in a moment.',
        { retryAfter: 10 },
      );
    const limit = AbortSignal.timeout(limitMs);
    try {
      left.signal.throwIfAborted();
      return await work(AbortSignal.any([left.signal, limit]));
    } catch (error) {
      if (!limit.aborted) throw error;
      throw new ConsoleProblem(
        'not_possible',
        `Reading this file took longer than ${Math.round(limitMs / 1000)} seconds, so it was stopped. Split the file, or put it into the inbox of its account, where it has more time.`,
      );
    } finally {
      slots.leave();
      reply.raw.off('close', noteLeft);
    }
  };
};
