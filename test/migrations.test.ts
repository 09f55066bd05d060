import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

/**
 * Migrations that existing ledgers and services have applied. Never edit, rename or remove one listed here: a ledger that has
 * applied it would refuse to start. Add a line here for each new migration.
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
    '015-dispatch.sql': '50c13afce6e7d682b3f2662dfbe7f37d93f0f065c98bad47c0f2c8965e158de4',
    '016-machines-and-folders.sql': 'd7a9040de9e9ac12650e0c30b66354b6a7a3a81f3fbfa29e41d0f780ec354ba2',
    '017-largest-orders.sql': '5a6bc7e69d92177f8695d4d14723b310d1303e1a60bbad817cea786d22e33ed2',
    '018-console-access.sql': 'b4fa84f4085018c98552337ee43ef9d56f4a932f718c0d005b6388a4ef803445',
    '019-console-data.sql': '610c32dd6d931dba518bad7a64257d9690d9404789cd1887e666af6cf61b3aae',
    '020-lighter-console-indexes.sql': '6e0c44dd7f49608a315150e1bf0fa165d88690f81e9dc638c9178f17fc6b59b1',
    '021-uploads.sql': 'af36aab94518dae6025ab5c67e9b6cce8c98cc6455782c883c8895b199dfcba1',
    '022-pauses-of-persons.sql': '4bfbdb13b4972d05841ca5d5fc54980731a848e6cc709cb02d9f4f7ecde1b2d7',
    '023-notifications.sql': 'b03ab0afd58a42d70f07df0592a12e1457ebf8acc409cfb3bc8fd4418d97c822',
    '026-retention.sql': 'f4abe8508d108cb688d1bfe410d8ed8fcbb732f6ebe1ca14ed1954d670c2dffc',
    '027-reports-and-schedules.sql': '48dbb94b9cd67a5dd2cab7e31ea74203997a3e664c082268877ef1814c08a416',
    '028-sftp.sql': 'efc85c941306d62793201809584c9811df84d5e4dd88af84fd0d2abbc0522d6d',
    '029-polling.sql': '4cdfe5341eb850fc3f8c92c14a45bd0c154ddd4eb70e0db5521a147bd20d53a0',
    '031-workers-of-other-versions.sql': '55c6b52531f174edfefe4c795af3e26274cf4d353350d1cfa4e07744fbc1553e',
    '033-orders-by-status.sql': 'efb1fbdab72249f58817d785421669e84e09d69cf1fe193ca7c2417ee3a536e1',
    '034-server-problems.sql': '82b64ea0f5118739f1f7b7b4191ff0b91aac58b4505bbd471e05e5352e2bb713',
    '036-unread-days.sql': '294ad936e0ca8922867a9d5dd951e476f4f1f85af1be7778d8c648c2cbd670bf',
    '038-search-before-the-order.sql': '3effc0144cd399a5bf98bb54c9b677ae0fd3833b341cedc97cd5bd9e200cd639',
    '040-pos-of-a-file.sql': '12568c0b17ab63a6e0322bc8699b5b0faf2fa2ab07daff60414964b2cbb70fc7',
    '041-wishes-and-timeouts.sql': 'd564b80d9a2a227d70d56839b23cfcfc40e6d7bc3ddd3719e9eb92b190ed249c',
    '042-locks.sql': '15080ce70f95ed36e012be10571761939144224639c11ca37df701aa9c58e697',
    '043-alarm-codes.sql': '43fdb6f79347b76f95d1498dfe05e4e0e6698363dd3ea487bd14a6ca52a4655b',
    '044-content-of-files.sql': '55edc8ce86320b9dbad835fbede91eaef8a60a8d625a05da8dba71d6d4fe0e7e',
    '045-stuck-pos-and-settled-alarms.sql':
      '86b9869db9706054d7f94f5e4ebde720a50e150c2efd623f37b48b2287521d96',
    '046-layouts.sql': 'd754ca887f735f49d41f62e5c6bf3586f0584ff5beca9992ee30511219bb7906',
    '047-orders-by-facts.sql': 'ef612f057d1084933585b6336bc5e21a76553e9476a3c06a9aef6c98754c2fda',
    '048-feed.sql': 'cc6a702dc6de1f003989231b346824cc52d344a32b276d61d49f991cb106f029',
    '049-sync-receivers.sql': 'aad03b23034198edd8d0f9ce8ed2259b1661fb4bf8af33292ed3cd4df380cba5',
    '050-statistics.sql': 'b4d052d74af96315eb1d036cb08ab4775eb3eafaa53611e35b5c312f3319e2a7',
    '052-reopened.sql': '5913159d7830710998fe75fef558617ae89f488f5a7028db015fe2a0fd3e4b88',
    '053-answers.sql': 'c4ea4429df5fdd7a9fd2dcb0224e0e37ebd9e23241515ca41e01d98d48c6976d',
    '054-corrections.sql': 'c47fcc64dd35f502872f9017eb36bdcb77b8d3c05b0ef26203aa3a4fdd225436',
    '055-settled-and-assigned.sql': 'ddaa4814c278f80776e172eac012f28fa626fbbb26e0f840478a28e1d0176ef0',
    '056-parts-of-texts.sql': '9bedb4cbffbc2b5ee1a3d469d61d4dd9dcc13b1da3ed9a18d58b6771ec057a75',
    '057-places-of-watched-files.sql': '623776945e1f5eb6f38a172836861be97ca6fa7e8b2bdea84263e43b5c053faa',
    '058-orders-by-number.sql': '32382d8f05648dfa787884a61e2dae94785e5f3bc97aed53aec8a4fd8c1350d3',
    '059-rejected-again.sql': '945ba94780d1fbc4628b131eaf8009fb46115117d1342540ec16c8dbcbefcbdd',
    '060-rows-of-no-po.sql': 'afa6c0be21a87456dfc88be7ec12a1f6ae7c9c586708ecf5c67b9eb2d47a3c37',
    '061-numbers-that-look-the-same.sql': '1f5a4a3e05cb8b91d71828e51c9956740f74e6170257d84184e44423f4426f2e',
    '062-other-spellings.sql': 'a5c582d604faab590de30aa1d55d556795170a65633e64777a1f36aac0d14c13',
    '063-more-spellings.sql': 'de999eab0f2664c34cb852f3d03d7c1b5a27285adda3e9b2101a512d2edd7a8e',
    '064-numbers-with-something-beside-them.sql':
      '598725e04e517b01b50cd90e3b291ab7b1a68cc2437fd07354e876edd070556c',
    '065-ungrouped-numbers.sql': '4ae215dcd42ec066335900285036bd4fc958746922c65d81162ba2edbebce320',
    '066-numbers-with-groups-and-letters.sql':
      '940623a3d75d0031e8ab8abdabaa24e5cd57383fd6b27a52a6c940a32414f8e3',
  },
  'src/service/migrations': {
    '001-service.sql': '582f6ce6fad8311bedf16859a297a5874005578b91fd2ae1ee8612533e75029b',
    '002-lighter-writes.sql': '48b51b0f1a312bf17b65daec3fc6088870150e4a41c1b9726c5f27320f5431e1',
    '003-po-versions.sql': '2aa22ec4c53f0d04c4ce2aab291265a1dbe0437b49fe6ef07bad251f26745d74',
    '004-comments.sql': '87f9b85db1127798de67b647a9d2824aadb6538d6bb419f93e9bba0ca760caec',
    '005-clock-dates.sql': 'b3a3d445109371f5349da70f3c959037eb2830d61ab86320676c771d80f8e3a7',
    '006-exact-clock.sql': '0107b26ddc08df7c751357dc9c6e664f4eb5443c1793834e776400b35a13cb6b',
    '007-order-prefix.sql': '2ff0e962e715af231db4d06e89a1b1bffcba4449b9081794141e625be6a11fbb',
  },
};

test('each new migration of the ledger says which workers may go on beside it', async () => {
  const folder = new URL('../src/ledger/migrations/', import.meta.url);
  const silent: string[] = [];
  for (const name of await readdir(folder)) {
    const [first] = (await readFile(new URL(name, folder), 'utf8')).split('\n', 1);
    if (name > '028' && !/^-- beside: (\d{3}|none)$/.test(first!)) silent.push(name);
  }
  expect(silent, 'its first line must be -- beside: NNN, or -- beside: none (docs/decisions/048)').toEqual(
    [],
  );
});

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
