import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import type { Config } from '../config/config.ts';
import { loadConfig } from '../config/load-config.ts';
import { UserError } from '../errors.ts';
import { makeFolder } from '../file-access.ts';
import { isAlive } from '../is-alive.ts';
import { packageFolder } from '../package.ts';
import { putIntoInbox } from './put-into-inbox.ts';

const samples = fileURLToPath(new URL('samples/', packageFolder));
const marker = '# Written by `cartwright demo`';
const ownerFile = 'demo.pid';

interface SampleConfig {
  accounts: Record<string, { auth: { secretEnv: string }; baseUrl: string; fileSettle?: string }>;
  service: { catalogue: string; dealers: { name: string; token: string }[] };
}

export interface DemoFolder {
  /** The sandbox's configuration: catalogue and dealers of the samples. */
  sandbox: Record<string, unknown>;
  /** Writes cartwright.yaml for a sandbox at this URL, and loads it like any command. */
  configure(serviceUrl: string): Promise<Config>;
  /** Copies the samples into the inboxes, each by a rename; returns their number. */
  dropSamples(config: Config): Promise<number>;
  /** The command that shows this demo's orders afterwards. */
  statusCommand: string;
  /** Allows the next demo to use the folder. */
  release(): Promise<void>;
}

/** The command to run this program again: its name if installed, its file in a checkout. */
const callAgain = (): string => {
  const program = process.argv[1] ?? 'cartwright';
  return basename(program) === 'cartwright' ? 'cartwright' : `node ${relative('.', program)}`;
};

/** Refuses a folder with other files than an earlier demo's, and one in which a demo is running. */
const assertOurs = async (folder: string): Promise<void> => {
  const names = await readdir(folder).catch(() => []);
  const config = await readFile(join(folder, 'cartwright.yaml'), 'utf8').catch(() => '');
  const started = existsSync(join(folder, ownerFile));
  if (names.length > 0 && !started && !config.startsWith(marker)) {
    throw new UserError(
      'not_a_demo_folder',
      `${folder} contains files that no demo created. Choose an empty or new folder with --folder.`,
    );
  }
  const pid = Number(await readFile(join(folder, ownerFile), 'utf8').catch(() => ''));
  if (pid > 0 && pid !== process.pid && isAlive(pid)) {
    throw new UserError(
      'demo_runs',
      `Another demo is running in ${folder} (process ${pid}). Wait until it ends, or choose another folder with --folder.`,
    );
  }
};

/** The names of a dealer's sample files. */
export const sampleFilesOf = async (dealer: string): Promise<string[]> =>
  (await readdir(samples)).filter((name) => name.startsWith(`${dealer}-`)).sort();

/** Copies a sample file into the inbox of an account's folder. */
export const putSample = (name: string, folder: string): Promise<void> =>
  putIntoInbox(join(samples, name), folder);

/**
 * Prepares the folder for one run of the demo. Files of an earlier run are removed, except for the database's, which
 * make the next start faster.
 *
 * @throws UserError `not_a_demo_folder`, `demo_runs`
 */
export const prepareDemoFolder = async (folder: string): Promise<DemoFolder> => {
  await makeFolder(folder);
  await assertOurs(folder);
  await writeFile(join(folder, ownerFile), String(process.pid));
  await rm(join(folder, 'accounts'), { recursive: true, force: true });
  const text = await readFile(join(samples, 'cartwright.yaml'), 'utf8');
  const { accounts, service } = parse(text) as SampleConfig;
  const tokenOf = (name: string) => service.dealers.find((dealer) => dealer.name === name)?.token ?? '';
  const secrets = Object.fromEntries(
    Object.entries(accounts).map(([name, { auth }]) => [auth.secretEnv, tokenOf(name)]),
  );
  const file = join(folder, 'cartwright.yaml');

  return {
    sandbox: { ...service, catalogue: join(samples, service.catalogue), port: 0, clockSpeed: 0 },
    configure: async (serviceUrl) => {
      for (const account of Object.values(accounts)) {
        account.baseUrl = serviceUrl;
        account.fileSettle = '500ms';
      }
      const settings = {
        dataFolder: '.',
        accounts,
        service: { ...service, catalogue: join(samples, service.catalogue) },
      };
      await writeFile(file, `${marker}; the next demo overwrites it.\n${stringify(settings)}`);
      return loadConfig({ file }, secrets);
    },
    dropSamples: async (config) => {
      let count = 0;
      for (const { name, folder: to } of config.accounts) {
        for (const file of await sampleFilesOf(name)) {
          await putSample(file, to);
          count += 1;
        }
      }
      return count;
    },
    statusCommand: `${Object.entries(secrets)
      .map(([name, token]) => `${name}=${token}`)
      .join(' ')} ${callAgain()} status --config ${file}`,
    release: () => rm(join(folder, ownerFile), { force: true }),
  };
};
