import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

/**
 * Migrations that existing ledgers and services have applied. A migration listed here is never edited, renamed or removed:
 * a ledger that has it would refuse to start. A new one gets a line here when it is made.
 */
const applied = {
  'src/ledger/migrations': {
    '001-ledger.sql': '0ffbe8b7b4c01baf23d95199e77fe3cbb1f603dec1a3777449cbf3c66a0d369a',
    '002-intake.sql': '316a188dab486e8aa5da51de11615ba8db0f42aa82f64a7228df16c032627f50',
    '003-workers.sql': '21bfa4e50d95ddd4630fe5686c3bd1582d5d61acab18b6ba71f5f8249ce3ea09',
    '004-results.sql': '25f5f1f427dd439c1bc5a092d6cac30d8cd23aa458b4f49a4ede523eb15c3eb4',
    '005-limits-and-look-ups.sql': 'b4759cdb1e1ad94bccfe846e88a711277b148d5a6f124e4bf626f27f19bc02b2',
    '006-claims.sql': 'e62a13b1b6bc038d213a01828065fbdff05ec64f38672f404d1530df9998fd57',
    '007-lighter-moves.sql': 'fb0d8492e38d222413523d683f192e79bc348b6df7d638b7eae7150a043fed83',
    '008-lighter-staging.sql': 'c8ce202f021df92a0948ea4facc7c6c235cf887e106f90c45792ca202b856a1a',
    '009-lighter-purchase-orders.sql': 'f6857f790a7d2751abae698eeb0c07ba39bb2138e3003de907bf672d67394fa5',
    '010-quotes-and-restores.sql': 'a626847fd17dc235b446fa93d272cc1ca2cb5647fe40e890a6ef631eb4c76f72',
    '011-files-that-change.sql': '9408112911f8f84ab583ad2b92cf3dc024d04015aec0e0cf78f6265d9e769aa9',
    '012-served-accounts.sql': 'ab4e9cd3b2e31256b0ad4b8cb1cf80197f3013eeb727c5854b01726952fdd60e',
    '013-what-reads-show.sql': '34e735281ba3e826ab04412b1c335144b4f0cf848644e9310245a2adc87fb3d5',
    '014-names-and-comments.sql': 'f861ca332abaa65061153844a86a637d120dccd9130932171074005b9799d553',
  },
  'src/service/migrations': {
    '001-service.sql': '582f6ce6fad8311bedf16859a297a5874005578b91fd2ae1ee8612533e75029b',
    '002-lighter-writes.sql': '48b51b0f1a312bf17b65daec3fc6088870150e4a41c1b9726c5f27320f5431e1',
    '003-po-versions.sql': '2aa22ec4c53f0d04c4ce2aab291265a1dbe0437b49fe6ef07bad251f26745d74',
    '004-comments.sql': '87f9b85db1127798de67b647a9d2824aadb6538d6bb419f93e9bba0ca760caec',
  },
};

test.each(Object.entries(applied))(
  '%s: no migration that was applied is ever changed',
  async (folder, known) => {
    const path = new URL(`../${folder}/`, import.meta.url);
    const names = (await readdir(path)).filter((name) => name.endsWith('.sql')).sort();
    const now = Object.fromEntries(
      await Promise.all(
        names.map(async (name) => [
          name,
          createHash('sha256')
            .update(await readFile(new URL(name, path)))
            .digest('hex'),
        ]),
      ),
    );
    expect(now).toEqual(known);
  },
);
