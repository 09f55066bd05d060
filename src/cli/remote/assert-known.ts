import type { AccountsAnswer } from '../../api-contract/accounts.ts';
import type { ImportDetail } from '../../api-contract/imports.ts';
import { UserError } from '../../errors.ts';
import type { RemoteConsole } from './call-console.ts';

/** @throws UserError `unknown_import`: the console does not have it, or not for this token */
export const readRemoteImport = (remote: RemoteConsole, importId: string): Promise<ImportDetail> =>
  remote.get<ImportDetail>(`/imports/${importId}`).catch((thrown: unknown) => {
    if (!(thrown instanceof UserError) || thrown.code !== 'console_refused') throw thrown;
    throw new UserError('unknown_import', `Import ${importId}: ${thrown.message}`, { cause: thrown });
  });

/**
 * For a command that found nothing: names the account or the import that the console does not have, or not for this token.
 * @throws UserError `unknown_account`, `unknown_import`
 */
export const assertKnown = async (
  remote: RemoteConsole,
  { account, import: importId }: { account?: string | undefined; import?: string | undefined },
): Promise<void> => {
  if (account !== undefined) {
    const { items } = await remote.get<AccountsAnswer>('/accounts');
    const names = items.map((one) => one.account);
    if (!names.includes(account))
      throw new UserError(
        'unknown_account',
        `The console has no account ${account}, or not for this token. Its accounts: ${names.join(', ') || 'none'}.`,
      );
  }
  if (importId !== undefined) await readRemoteImport(remote, importId);
};
