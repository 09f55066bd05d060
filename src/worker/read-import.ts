import { join } from 'node:path';
import type pg from 'pg';
import { createTurns } from '../at-once.ts';
import { storedReading } from '../intake/file-reading.ts';
import { type ImportOutcome, importPurchaseFile } from '../intake/import-purchase-file.ts';
import type { RegisteredImport } from '../intake/inbox/import-register.ts';
import type { Layout } from '../intake/layouts/layout.ts';
import { orWaits, type Waits } from '../intake/layouts/unknown-meaning.ts';
import type { Stage } from '../intake/types.ts';
import { readingOfImport } from '../ledger/console/confirm-uploads.ts';
import { accountOfImport, findImport, identityOf } from '../ledger/imports.ts';
import { stageImport } from '../ledger/staging.ts';
import { readWaiting } from '../ledger/waiting-imports.ts';
import type { Logger } from '../logger.ts';
import type { FetchCheckpoint } from '../sources/fetch-files.ts';
import type { NoteFacts } from '../tracing/trace.ts';
import { adoptLayouts, whatToRemember } from './known-layouts.ts';
import type { OpenAccounts } from './open-accounts.ts';
import { sayCounts } from './say-counts.ts';

/**
 * For crash tests: rows were copied in; the ledger has the import, but the file is not archived yet; a result is written; a file is
 * complete at the server under its temporary name, or under its own.
 */
export type FileCheckpoint =
  | 'staging'
  | 'staged'
  | 'writing_result'
  | FetchCheckpoint
  | 'uploaded'
  | 'delivered';

export interface ReadImportDeps {
  pool: pg.Pool;
  accounts: OpenAccounts;
  logger: Logger;
  onProgress?: ((importId: string, rows: number) => void) | undefined;
  /** Records facts about the import in its trace. */
  note?: NoteFacts;
  /** For tests: moments at which a process is stopped. */
  checkpoint?: ((name: FileCheckpoint, fileName: string) => Promise<void>) | undefined;
}

/** A workbook is loaded into memory as a whole; one of this size takes some 200 MB. */
const largeBytes = 4 * 1024 * 1024;
const forLargeFiles = createTurns(2);

/**
 * Reads one imported file into the ledger and archives the dealer's file in done/, or in failed/ with a note if it was
 * refused. Idempotent, also after a crash between the two steps.
 */
export const readImport = async (deps: ReadImportDeps, importId: string): Promise<void> => {
  const { pool } = deps;
  const [name, registered] = [await accountOfImport(pool, importId), await findImport(pool, { importId })];
  if (name === undefined || !registered) return;
  const read = () => readRegistered(deps, importId, name, registered);
  await (registered.sizeBytes > largeBytes ? forLargeFiles(read) : read());
};

const readRegistered = async (
  deps: ReadImportDeps,
  importId: string,
  name: string,
  registered: RegisteredImport,
): Promise<void> => {
  const { pool, accounts, logger } = deps;
  const { account, claims } = accounts.get(name);
  await adoptLayouts(pool, account);
  const reading = storedReading(account.intake, await readingOfImport(pool, importId));
  const { isMapped } = reading;
  const identity = await identityOf(pool, name, registered.sha256);
  const read = async (stage: Stage, layouts: readonly Layout[]): Promise<ImportOutcome | Waits> => {
    const outcome = await importPurchaseFile({
      path: join(account.folder, registered.filePath),
      fileName: registered.fileName,
      // The file is no longer where the dealer put it.
      ...(account.intake.unknownLayouts === 'wait' ? { mapArgument: `--import ${importId}` } : {}),
      identity,
      ...reading,
      layouts,
      waitsForNews: !isMapped,
      quoteOnly: registered.quoteOnly,
      codeLists: account.codeLists,
      priceGuard: account.placing.guards.abovePercent !== undefined,
      stage: {
        add: async (rows, issues) => {
          await stage.add(rows, issues);
          await deps.checkpoint?.('staging', registered.fileName);
        },
      },
      onProgress: ({ rows }) => deps.onProgress?.(importId, rows),
    });
    return orWaits(outcome, account.intake);
  };
  const { fileName } = registered;
  const staged = await stageImport(pool, importId, read, {
    remember: (outcome, layouts) => whatToRemember(name, { ...outcome, fileName, layouts, ...reading }),
  });
  await deps.checkpoint?.('staged', registered.fileName);
  const fields = { account: name, importId, file: registered.fileName };
  deps.note?.({
    account: name,
    fileName: registered.fileName,
    result: staged.kind,
    rows: staged.kind === 'staged' ? staged.counts.lines : undefined,
  });
  switch (staged.kind) {
    case 'refused':
      logger.warn(
        {
          ...fields,
          code: staged.code,
          reason: [staged.message, staged.technical].filter(Boolean).join(' '),
        },
        'purchase file refused',
      );
      await claims.archive(importId, 'failed', staged.message);
      return;
    case 'waits':
      // A reload in the meantime re-read the waiting files, but missed this one.
      if (accounts.get(name).account !== account) {
        await readWaiting(pool, [name], { importId });
        return readRegistered(deps, importId, name, registered);
      }
      logger.warn(
        { ...fields, code: staged.code, reason: staged.message },
        'purchase file waits for somebody to say what it means',
      );
      return;
    case 'staged': {
      const { ready, rejected, repeated, conflicting, held, lines } = staged.counts;
      logger.info(
        { ...fields, count: lines },
        `purchase file read: ${sayCounts({ ready, rejected, conflicting, held, repeated })}`,
      );
      const { idlePriceGuard } = staged.outcome;
      if (idlePriceGuard !== undefined) {
        logger.warn(
          { ...fields, code: 'price_guard_idle', reason: idlePriceGuard },
          'the price guard is inactive for this file',
        );
      }
      await claims.archive(importId, 'done');
      return;
    }
    case 'already':
      if (staged.state !== 'waiting')
        await claims.archive(importId, staged.state === 'refused' ? 'failed' : 'done');
  }
};
