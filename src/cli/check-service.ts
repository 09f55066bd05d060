import { UserError } from '../errors.ts';
import { compactDay } from '../placing/list-range.ts';
import type { OpenAccount } from './open-accounts.ts';

/**
 * Asks an account's service for today's orders: whoever waits for orders wants to hear at once that none can
 * be placed. Changes nothing.
 *
 * @throws UserError `no_service`, `service_down`, `service_denied`, in a sentence with the service's words
 */
export const checkService = async (open: OpenAccount): Promise<void> => {
  const { name, api } = open.account;
  const today = compactDay(new Date());
  const answer = await open.api().listOrders(today, today);
  const where = `The dealer order service of account ${name} at ${api?.baseUrl}`;
  switch (answer.kind) {
    case 'denied':
      throw new UserError(
        'service_denied',
        `${where} refuses the credential (${answer.message}). Mend accounts.${name}.auth or the secret that it names.`,
      );
    case 'not_sent':
    case 'unknown':
      throw new UserError(
        'service_down',
        `${where} cannot be used: ${answer.message}. Start it, or mend accounts.${name}.baseUrl.`,
      );
    case 'misdirected':
    case 'unsupported':
    case 'not_found':
      throw new UserError(
        'service_down',
        `${where} does not answer as a dealer order service does: ${answer.message}. Look at accounts.${name}.baseUrl.`,
      );
    default:
  }
};
