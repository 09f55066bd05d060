import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { FaultRuleInput } from '../../src/service/fault-rules.ts';
import { builtProgram } from '../support/built-program.ts';
import type { ServicesAnswer, ServicesMessage, ServicesOrder } from './service-process.ts';

/** The services of a chaos run, in a process of their own. */
export interface ChaosServices {
  urls: string[];
  /** Sets the rules of each service, in order; resets the counts. */
  setFaults(rules: FaultRuleInput[][]): Promise<void>;
  /** Number of faults of each service since the rules were set. */
  faultsGiven(): Promise<number[]>;
  /** The longest time for which their process's event loop was blocked since its start. */
  longestDelayMs(): Promise<number>;
  stop(): Promise<void>;
}

type Ask<T> = T extends unknown ? Omit<T, 'id'> : never;

/** Starts a service for each of these settings; throws when their process ends before all of them listen. */
export const startServices = async (order: ServicesOrder): Promise<ChaosServices> => {
  const child = fork(builtProgram('test/chaos/service-process.ts'), [JSON.stringify(order)]);
  const exited = once(child, 'exit');
  const waiting = new Map<number, (answer: ServicesAnswer) => void>();
  child.on('message', (answer: ServicesAnswer) => {
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  let asked = 0;
  const answerTo = (id: number): Promise<ServicesAnswer> =>
    new Promise((resolve, reject) => {
      waiting.set(id, resolve);
      void exited.then(([code, signal]) => reject(new Error(`the services ended (${code ?? signal})`)));
    });
  const ask = (message: Ask<ServicesMessage>): Promise<ServicesAnswer> => {
    asked += 1;
    child.send({ ...message, id: asked } as ServicesMessage);
    return answerTo(asked);
  };
  const { urls } = await answerTo(0);
  return {
    urls,
    setFaults: async (rules) => void (await ask({ ask: 'replace', rules })),
    faultsGiven: async () => (await ask({ ask: 'given' })).given,
    longestDelayMs: async () => (await ask({ ask: 'given' })).longestDelayMs,
    stop: async () => {
      await ask({ ask: 'stop' }).catch(() => {});
      child.kill('SIGKILL');
      await exited;
    },
  };
};
