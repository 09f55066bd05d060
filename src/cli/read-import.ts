import { join } from 'node:path';
import type pg from 'pg';
import { importPurchaseFile } from '../intake/import-purchase-file.ts';
import type { Stage } from '../intake/types.ts';
import { findImport } from '../ledger/imports.ts';
import { stageImport } from '../ledger/staging.ts';
import { accountOfImport } from '../ledger/work.ts';
import type { Logger } from '../logger.ts';
import type { OpenAccounts } from './open-accounts.ts';

/** Moments of a file's way at which a crash is survived: rows were copied in; the ledger has it, the folder does not know. */
export type FileCheckpoint = 'staging' | 'staged' | 'writing_result';

export interface ReadImportDeps {
  pool: pg.Pool;
  accounts: OpenAccounts;
  logger: Logger;
  onProgress?: ((importId: string, rows: number) => void) | undefined;
  /** For tests: moments at which a process is stopped. */
  checkpoint?: ((name: FileCheckpoint, fileName: string) => Promise<void>) | undefined;
}

/**
 * Reads one taken file into the ledger and archives the dealer's file: done/, or failed/ with a note when it
 * was refused. Idempotent, also after a crash between the two.
 */
export const readImport = async (deps: ReadImportDeps, importId: string): Promise<void> => {
  const { pool, accounts, logger } = deps;
  const [name, registered] = [await accountOfImport(pool, importId), await findImport(pool, { importId })];
  if (name === undefined || !registered) return;
  const { account, claims } = accounts.get(name);
  const { cancelledAgain, restoredFiles } = account;
  const read = (stage: Stage) =>
    importPurchaseFile({
      path: join(account.folder, registered.filePath),
      fileName: registered.fileName,
      options: account.intake,
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
  const staged = await stageImport(pool, importId, read, { rules: { cancelledAgain, restoredFiles } });
  await deps.checkpoint?.('staged', registered.fileName);
  const told = { account: name, importId, file: registered.fileName };
  switch (staged.kind) {
    case 'refused':
      logger.warn({ ...told, code: staged.code, reason: staged.message }, 'purchase file refused');
      await claims.archive(importId, 'failed', staged.message);
      return;
    case 'staged': {
      const { ready, rejected, repeated, conflicting, held, lines } = staged.counts;
      logger.info(
        { ...told, count: lines },
        `purchase file read: ${ready} purchase orders ready, ${rejected} rejected, ${conflicting} conflicting, ${held} held, ${repeated} repeated`,
      );
      const { idlePriceGuard } = staged.outcome;
      if (idlePriceGuard !== undefined) {
        logger.warn(
          { ...told, code: 'price_guard_idle', reason: idlePriceGuard },
          'the price guard cannot act',
        );
      }
      await claims.archive(importId, 'done');
      return;
    }
    case 'already':
      await claims.archive(importId, staged.state === 'refused' ? 'failed' : 'done');
  }
};
