import { mkdtempSync, writeFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { PreviewAnswer } from '../../src/api-contract/previews.ts';
import type { ConfirmAnswer, UploadAnswer } from '../../src/api-contract/uploads.ts';
import type { Account } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { silentLogger } from '../../src/logger.ts';
import { checkFolders } from '../../src/worker/check-folders.ts';
import { type OpenAccounts, openAccounts } from '../../src/worker/open-accounts.ts';
import { readImport } from '../../src/worker/read-import.ts';
import { idleWork, useConsole } from './use-console.ts';

const configuration = (folder: string) => `dataFolder: ${folder}/data
accounts:
  north: {}
  south:
    intake:
      layouts:
        shop: { columns: { Ref: po_number, Art: item_sku, Stk: quantity }, constants: { comment1: web } }
  away: {}
  guarded: { guards: { orderTotal: 50000, abovePercent: 5 } }
  machine: { intake: { unknownLayouts: refuse } }
`;

export const boundary = 'x-x-x-x-x-x';
/** A multipart body with one file. */
export const bodyOf = (name: string, content: string | Buffer, field = 'file') =>
  Buffer.concat([
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: text/csv\r\n\r\n`,
    ),
    Buffer.from(content as string),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
export const contentType = { 'content-type': `multipart/form-data; boundary=${boundary}` };

/** A purchase file with one PO of two lines. */
export const csv = (po: string, quantity: number | string = 5) =>
  `PO Number,SKU,Qty\n${po},A-1,${quantity}\n${po},A-2,2\n`;

/** A console with a ledger and the folders of two accounts, to which files can be uploaded. */
export const useUploads = ({ maxMb = 1 } = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'cartwright-uploads-'));
  const file = join(folder, 'cartwright.yaml');
  writeFileSync(file, configuration(folder));
  const loaded = loadConfig({ file }, {});
  // Smaller limits than the product's.
  const withSmallFiles = (account: Account): Account => ({
    ...account,
    intake: { ...account.intake, limits: { ...account.intake.limits, maxInflatedBytes: 2_000_000 } },
  });
  const config = { ...loaded, accounts: loaded.accounts.map(withSmallFiles) };
  const queued: string[] = [];
  const use = useConsole({
    settings: { uploads: { maxMb } },
    deps: {
      config,
      work: {
        ...idleWork,
        enqueueImports: async (imports) => void queued.push(...imports.map(({ id }) => id)),
      },
    },
  });
  const rootOf = (account: string) => config.accounts.find(({ name }) => name === account)!.folder;

  let operator: Record<string, string>;
  let accounts: OpenAccounts;
  beforeAll(async () => {
    const { pool } = use.deps;
    await checkFolders(pool, config.accounts, (name) => name !== 'away');
    accounts = openAccounts(config, pool, silentLogger, 'test', {
      mayCreateFolder: (name) => name !== 'away',
    });
    await accounts.checkFolders();
    operator = await use.signedIn('operator', null, 'Olga');
  });
  afterAll(async () => {
    await accounts.stop();
    await rm(folder, { recursive: true });
  });
  beforeEach(() => {
    queued.length = 0;
  });

  const send = (payload: Buffer, account = 'north', headers = operator): Promise<LightMyRequestResponse> =>
    use.app.inject({
      method: 'POST',
      url: `/api/v1/uploads?account=${account}`,
      headers: { ...headers, ...contentType },
      payload,
    });
  const upload = async (name: string, content: string | Buffer, account = 'north'): Promise<UploadAnswer> => {
    const response = await send(bodyOf(name, content), account);
    expect(response.statusCode, response.body).toBe(201);
    return response.json();
  };
  const call = (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    payload?: object,
    headers = operator,
  ): Promise<LightMyRequestResponse> =>
    use.app.inject({ method, url: `/api/v1${url}`, headers, ...(payload ? { payload } : {}) });
  const done = async <T>(...args: Parameters<typeof call>): Promise<T> => {
    const response = await call(...args);
    expect(response.statusCode, response.body).toBeLessThan(300);
    return response.json();
  };
  const preview = (id: string) => done<PreviewAnswer>('POST', `/uploads/${id}/preview`);
  const confirm = (id: string, body: object = { as: 'order' }) =>
    done<ConfirmAnswer>('POST', `/uploads/${id}/confirm`, body);
  const read = async (importId: string | null) => {
    await readImport({ pool: use.deps.pool, accounts, logger: silentLogger }, importId!);
    const { rows } = await use.deps.pool.query(
      'select po_number, state, reason_code from purchase_orders where import_id = $1 order by first_row',
      [importId],
    );
    return rows.map((row) => [row.po_number, row.state, row.reason_code].filter(Boolean).join(' '));
  };
  const waiting = (account = 'north') => readdir(join(rootOf(account), 'uploads')).catch(() => []);

  return {
    use,
    /** An opened account, like in a worker. */
    open: (account: string) => accounts.get(account),
    config,
    rootOf,
    /** Imports that got a job in this test. */
    queued,
    operator: () => operator,
    send,
    upload,
    call,
    /** Makes a call and asserts that it succeeds. */
    done,
    preview,
    confirm,
    /** Reads an import like a worker, and returns its POs with their states. */
    read,
    /** The files of uploads that are neither confirmed nor discarded. */
    waiting,
  };
};
