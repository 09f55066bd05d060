import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { stringify } from 'yaml';
import type { Account } from '../../config/config.ts';
import { createDealerApi } from '../../dealer-api/create-dealer-api.ts';
import { createThrottle } from '../../dealer-api/throttle.ts';
import { plainCause, UserError } from '../../errors.ts';
import { type Probed, probeService } from '../../placing/probe-service.ts';
import { chooseAccount } from '../choose-account.ts';
import { confirm } from '../confirm.ts';
import { setInAccount } from '../edit-configuration.ts';
import { badOption } from '../option-text.ts';
import { drawServiceCapabilities, settingsOf } from '../output/service-capabilities.ts';
import { offerReload } from '../reload-workers.ts';
import { type CommandContext, runCommand } from '../run-command.ts';
import { addPauseCommands } from './pauses.ts';

interface ProbeCommandOptions {
  sku: string;
  po?: string;
  submit?: boolean;
  yes?: boolean;
  write?: boolean;
}

/** Such as PROBE-20260301-120000. */
const defaultPoNumber = (now: Date): string =>
  `PROBE-${now.toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')}`;

/** Tells a person what is left at the service. */
const aboutCart = (poNumber: string, cartGone: boolean): string =>
  cartGone
    ? 'The service has no cart under it.'
    : `Its cart could not be deleted; delete the cart of PO ${poNumber} at the service.`;

const capabilitiesOf = (probed: Probed, { name }: Account, poNumber: string) => {
  switch (probed.kind) {
    case 'probed':
      return probed.capabilities;
    case 'in_use':
      throw new UserError(
        'po_in_use',
        `The service already has ${probed.what === 'order' ? 'an order' : 'a cart'} under PO number ${poNumber}. Nothing was changed. Choose another number with --po.`,
      );
    case 'interrupted':
      throw new UserError(
        'interrupted',
        `The test of account ${name} was interrupted. ${aboutCart(poNumber, probed.cartGone)}`,
      );
    case 'stopped':
      throw new UserError(
        'service_down',
        `The test of account ${name} ended early, while ${probed.at}: ${plainCause(probed.why)}. ${aboutCart(poNumber, probed.cartGone)}`,
      );
  }
};

const probe = async (context: CommandContext, named: string | undefined, options: ProbeCommandOptions) => {
  const { config, terminal, signals } = context;
  if (options.write && config.isSandbox)
    throw badOption(
      '--write cannot be combined with --sandbox: the settings would be those of the sandbox, in the configuration of the real service. Leave one of them out.',
    );
  const account = chooseAccount(config, named);
  if (!account.api) throw new UserError(account.problem!.code, account.problem!.message);
  const poNumber = options.po ?? defaultPoNumber(new Date());
  const submit = options.submit === true;
  const change = `create a test cart with PO number ${poNumber} and 3 x ${options.sku} at ${account.api.baseUrl}${submit ? ', and ORDER it' : ''}`;
  if (!(await confirm(terminal, change, options.yes))) return 'fine';
  const api = createDealerApi(
    account.api,
    createThrottle(() => 1),
  );
  const probed = await probeService({
    api,
    poNumber,
    sku: options.sku,
    submit,
    rules: account.placing,
    isStopped: signals.isRequested,
    sleep: (ms) => sleep(ms),
    now: () => performance.now(),
  }).finally(() => api.stop());
  const capabilities = capabilitiesOf(probed, account, poNumber);
  const settings = settingsOf(capabilities);
  const written = options.write ? await setInAccount(config.file, account.name, settings) : undefined;
  const { cartGone } = probed as Extract<Probed, { kind: 'probed' }>;
  terminal.answer({ account: account.name, poNumber, capabilities, settings, cartGone, written });
  terminal.say(drawServiceCapabilities(terminal, capabilities));
  terminal.say();
  if (capabilities.orderNumber !== undefined) {
    terminal.say(`Ordered as ${capabilities.orderNumber}. Have this test order cancelled at the service.`);
  }
  terminal.say(`The test PO was ${poNumber}. ${aboutCart(poNumber, cartGone)}`);
  if (written === undefined) {
    terminal.say('Add this to the configuration, or run the command again with --write:\n');
    terminal.say(stringify({ accounts: { [account.name]: settings } }));
  } else {
    terminal.say(`Wrote these settings into ${written}.`);
    await offerReload(context, account.name, Object.keys(settings));
  }
  return cartGone ? 'fine' : 'notAllDone';
};

const examples = `
Examples:
  cartwright accounts pause north --note "stocktaking until Monday"
  cartwright accounts probe north --sku CHN-520
  cartwright accounts probe north --sku CHN-520 --yes --write`;

export const addAccountsCommand = (program: Command): void => {
  const accounts = program
    .command('accounts')
    .description('Commands about the accounts of the configuration.')
    .addHelpText('after', examples);
  addPauseCommands(accounts);
  accounts
    .command('probe')
    .summary('find out how a service behaves, with a test cart')
    .description(
      'Creates a cart with a PO number that is not used yet, and finds out whether the service refuses a second cart, shows items, merges equal lines, deletes carts, and shows changes late. The cart is deleted at the end, also after Ctrl-C. With --submit it is ordered first, which costs money; only this shows whether a submission removes the cart. With --write the settings are written into the configuration file; comments and other settings are kept.',
    )
    .argument('[account]', 'account to test')
    .requiredOption('--sku <sku>', 'an item that the service sells')
    .option('--po <number>', 'PO number of the test (default: PROBE- and the time)')
    .option('--submit', 'also submit the cart: a real order')
    .option('--yes', 'do not ask for confirmation')
    .option('--write', 'write the settings into the configuration file')
    .addHelpText('after', examples)
    .action(
      runCommand<ProbeCommandOptions>('task', (context, [account], options) =>
        probe(context, account, options),
      ),
    );
};
