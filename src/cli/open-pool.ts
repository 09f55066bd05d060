import type pg from 'pg';
import { userName } from '../file-access.ts';
import type { Actor } from '../ledger/console/activity.ts';
import { openLedger } from '../worker/open-ledger.ts';
import type { CommandContext } from './run-command.ts';

/** Opens only the ledger, for commands that need neither queue nor accounts. Closed when the command ends. */
export const openPool = async (
  { config, logger, terminal, atEnd }: CommandContext,
  open: typeof openLedger = openLedger,
): Promise<pg.Pool> => {
  const ledger = await open({ config, logger, connections: 2, tell: terminal.note });
  atEnd(() => ledger.stop());
  return ledger.pool;
};

/** The person who runs the command, as recorded in the ledger. */
export const operator = (): Actor => ({ who: userName(), via: 'command line' });
