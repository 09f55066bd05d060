import type { Account, Config } from '../config/config.ts';
import { keepInUse } from '../config/in-use.ts';
import { messageOf } from '../errors.ts';
import { answerReload, readReloads } from '../ledger/reloads.ts';
import { readWaiting } from '../ledger/waiting-imports.ts';
import type { Logger } from '../logger.ts';
import { repeat } from '../repeat.ts';
import type { Runtime } from './open-runtime.ts';

/** Returns the running account with one setting replaced by the value just read. */
type TakeOver = (running: Account, read: Account) => Account;

const own =
  (key: keyof Account): TakeOver =>
  (running, read) => ({ ...running, [key]: read[key] });

const ofPlacing =
  (key: keyof Account['placing']): TakeOver =>
  (running, read) => ({ ...running, placing: { ...running.placing, [key]: read.placing[key] } });

/**
 * The settings of an account that each job, file and PO reads afresh, and how to apply a new value. Other settings were used to open
 * clients, claims, leases and watchers. Replacing these while they work could lose orders, so they need a restart, which hands work over.
 */
const reloadable: Record<string, TakeOver> = {
  schedule: own('schedule'),
  guards: ofPlacing('guards'),
  intake: own('intake'),
  warehouses: own('codeLists'),
  shipCodes: own('codeLists'),
  finalStatuses: own('finalStatuses'),
  lateAfter: own('lateAfterMs'),
  reportFormats: own('reportFormats'),
  createRefusesExistingCart: ofPlacing('createRefusesExistingCart'),
  createRefusesOrderedPo: ofPlacing('createRefusesOrderedPo'),
  submissionConsumesCart: ofPlacing('submissionConsumesCart'),
};

/** @internal also used by tests */
export const reloadableSettings = Object.keys(reloadable);

/** Whether an account's setting can change without restarting the workers. */
export const isReloadable = (setting: string): boolean => Object.hasOwn(reloadable, setting);

/** Sections that each due task reads afresh. */
const reloadableSections = ['backup', 'retention'] as const;

export type Reloaded =
  | { kind: 'reloaded'; read: Config; changed: string[]; needRestart: string[] }
  | { kind: 'refused'; message: string };

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const namesOf = (...some: object[]): string[] => [...new Set(some.flatMap((one) => Object.keys(one)))].sort();

type Values = Record<string, unknown>;

/** The differences of two configurations: single settings of accounts, otherwise whole sections. Pure. */
const listDifferences = (
  before: Config['settings'],
  after: Config['settings'],
): { name: string; applies: boolean }[] => {
  const sections = namesOf(before, after)
    .filter((name) => name !== 'accounts' && !same((before as Values)[name], (after as Values)[name]))
    .map((name) => ({ name, applies: (reloadableSections as readonly string[]).includes(name) }));
  const accounts = namesOf(before.accounts, after.accounts).flatMap((account) => {
    const [was, is] = [before.accounts[account], after.accounts[account]];
    if (!was) return [{ name: `accounts.${account} (new)`, applies: false }];
    if (!is) return [{ name: `accounts.${account} (removed)`, applies: false }];
    return namesOf(was, is)
      .filter((setting) => !same((was as Values)[setting], (is as Values)[setting]))
      .map((setting) => ({ name: `accounts.${account}.${setting}`, applies: isReloadable(setting) }));
  });
  return [...sections, ...accounts];
};

/**
 * The result of a reload, as a sentence. Pure.
 *
 * @internal also used by tests
 */
export const describeReload = (reloaded: Reloaded): string => {
  if (reloaded.kind === 'refused')
    return `The configuration was not reloaded, and the one before stays in use: ${reloaded.message}`;
  const { changed, needRestart } = reloaded;
  const restart = needRestart.length > 0 ? ` These need a restart: ${needRestart.join(', ')}.` : '';
  return changed.length > 0
    ? `Reloaded ${changed.join(', ')}.${restart}`
    : `Nothing to reload has changed.${restart}`;
};

/**
 * Reads the configuration again and applies the settings that may change at run time. An invalid configuration changes
 * nothing. Running jobs continue, with the new settings from their next step.
 *
 * @internal also used by tests
 */
export const createReload = (
  { config, accounts }: Pick<Runtime, 'config' | 'accounts'>,
  load: () => Config,
): (() => Reloaded) => {
  const running = structuredClone(config.settings);
  return () => {
    let read: Config;
    try {
      read = load();
    } catch (thrown) {
      return { kind: 'refused', message: messageOf(thrown) };
    }
    const differences = listDifferences(running, read.settings);
    for (const one of accounts.all) {
      const { name } = one.account;
      const found = read.accounts.find((account) => account.name === name);
      const [was, is] = [
        running.accounts[name] as Values | undefined,
        read.settings.accounts[name] as Values | undefined,
      ];
      if (!found || !was || !is) continue;
      for (const [setting, takeOver] of Object.entries(reloadable)) {
        one.account = takeOver(one.account, found);
        was[setting] = is[setting];
      }
    }
    config.backup = read.backup;
    config.retention = read.retention;
    for (const section of reloadableSections)
      (running as Values)[section] = (read.settings as Values)[section];
    return {
      kind: 'reloaded',
      read,
      changed: differences.filter(({ applies }) => applies).map(({ name }) => name),
      needRestart: differences.filter(({ applies }) => !applies).map(({ name }) => name),
    };
  };
};

const askEveryMs = 2000;

const logReload = (logger: Logger, reloaded: Reloaded): void => {
  const sentence = describeReload(reloaded);
  if (reloaded.kind === 'refused') logger.error({}, sentence);
  else logger.info({}, sentence);
};

/** Reloads the configuration when the function is called, and when `cartwright reload` asks for it through the ledger. */
export const startReloads = async (
  runtime: Runtime,
  load: () => Config,
): Promise<{ reload(): void; stop(): Promise<void> }> => {
  const { logger, ledger, workerId } = runtime;
  const keep = async (config: Config): Promise<void> => {
    await keepInUse(config).catch((err) =>
      logger.warn(
        { err },
        'Could not keep a copy of the configuration, by which `status` works while the file is broken',
      ),
    );
  };
  await keep(runtime.config);
  const reloadNow = createReload(runtime, load);
  const run = (): Reloaded => {
    const reloaded = reloadNow();
    logReload(logger, reloaded);
    if (reloaded.kind === 'reloaded') void keep(reloaded.read);
    // The new settings may explain files that wait. If the ledger does not answer, the next restart reads them.
    if (reloaded.kind === 'reloaded' && reloaded.changed.some((name) => name.endsWith('.intake')))
      void readWaiting(ledger.pool, runtime.accounts.serving().reads).catch(() => {});
    return reloaded;
  };
  // Requests from before this process read its configuration are done.
  let seen = await readReloads(ledger.pool);
  const ask = async (): Promise<void> => {
    const asked = await readReloads(ledger.pool);
    if (asked === seen) return;
    seen = asked;
    const reloaded = run();
    await answerReload(ledger.pool, workerId, {
      reloads: asked,
      note: describeReload(reloaded),
      refused: reloaded.kind === 'refused',
    });
  };
  // Without the ledger nobody can request a reload, so failures are ignored and the next poll tries again.
  const asking = repeat(ask, { everyMs: askEveryMs, firstMs: askEveryMs, failed: () => {} });
  return { reload: () => void run(), stop: asking.stop };
};
