import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import { loadConfig } from '../config.ts';
import type { Config } from '../config-schema.ts';
import { UserError } from '../errors.ts';
import { packageFolder } from './package-folder.ts';

const samples = fileURLToPath(new URL('samples/', packageFolder));
const marker = '# Written by `cartwright demo`; the next demo writes it again.';
const ownerFile = 'demo.pid';

interface SampleConfig {
  accounts: Record<string, { auth: { secretEnv: string }; baseUrl: string; fileSettle?: string }>;
  service: { catalogue: string; dealers: { name: string; token: string }[] };
}

export interface DemoFolder {
  /** What the sandbox is to be: the samples' catalogue and dealers. */
  sandbox: Record<string, unknown>;
  /** Writes the configuration for a sandbox at this address, and reads it as any command would. */
  configure(serviceUrl: string): Promise<Config>;
  /** Puts the samples into the inboxes, each whole at once; answers how many. */
  dropSamples(config: Config): Promise<number>;
  /** The command that shows this demo's ledger afterwards. */
  lookAround: string;
  leave(): Promise<void>;
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Refuses a folder with anything that is not an earlier demo's, and one in which a demo runs. */
const assertOurs = async (folder: string): Promise<void> => {
  const names = await readdir(folder).catch(() => []);
  const config = await readFile(join(folder, 'cartwright.yaml'), 'utf8').catch(() => '');
  const begun = existsSync(join(folder, ownerFile));
  if (names.length > 0 && !begun && !config.startsWith(marker)) {
    throw new UserError(
      'not_a_demo_folder',
      `${folder} holds files that no demo has written. Choose another --folder, an empty or a new one.`,
    );
  }
  const pid = Number(await readFile(join(folder, ownerFile), 'utf8').catch(() => ''));
  if (pid > 0 && pid !== process.pid && isAlive(pid)) {
    throw new UserError(
      'demo_runs',
      `A demo runs in ${folder} (process ${pid}). Wait for it, or choose another --folder.`,
    );
  }
};

/**
 * A folder for one run of the demo: its files are the samples', its accounts are empty. What an earlier run
 * left there is removed, but for the database's files, which make the next start faster.
 *
 * @throws UserError `not_a_demo_folder`, `demo_runs`
 */
export const prepareDemoFolder = async (folder: string): Promise<DemoFolder> => {
  await mkdir(folder, { recursive: true });
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
      await writeFile(file, `${marker}\n${stringify(settings)}`);
      return loadConfig({ file }, secrets);
    },
    dropSamples: async (config) => {
      let count = 0;
      for (const name of (await readdir(samples)).sort()) {
        const account = config.accounts.find((one) => name.startsWith(`${one.name}-`));
        if (!account) continue;
        const inbox = join(account.folder, 'inbox');
        await mkdir(inbox, { recursive: true });
        await cp(join(samples, name), join(inbox, `${name}.part`));
        await rename(join(inbox, `${name}.part`), join(inbox, name));
        count += 1;
      }
      return count;
    },
    lookAround: `${Object.entries(secrets)
      .map(([name, token]) => `${name}=${token}`)
      .join(' ')} npx cartwright status --config ${file}`,
    leave: () => rm(join(folder, ownerFile), { force: true }),
  };
};
