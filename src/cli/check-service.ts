import { plainCause, UserError } from '../errors.ts';
import { compactDay } from '../placing/list-range.ts';
import type { OpenAccount } from '../worker/open-accounts.ts';

/**
 * Asks an account's service for today's orders, so that a person who waits for orders learns at once if none can be
 * placed. Changes nothing.
 *
 * @throws UserError `no_service`, `service_down`, `service_denied`, with the service's message
 */
export const checkService = async (open: OpenAccount): Promise<void> => {
  const { name, api } = open.account;
  const today = compactDay(new Date());
  const answer = await open.api().listOrders(today, today);
  const service = `The dealer order service of account ${name} at ${api?.baseUrl}`;
  switch (answer.kind) {
    case 'denied':
      throw new UserError(
        'service_denied',
        `${service} refused the credential (${answer.message}). Check accounts.${name}.auth and the environment variable that it names.`,
      );
    case 'not_sent':
    case 'unknown':
      throw new UserError(
        'service_down',
        `${service} cannot be used: ${plainCause(answer.message)}. Check that it is running and that accounts.${name}.baseUrl is correct.`,
      );
    case 'misdirected':
    case 'unsupported':
    case 'not_found':
      throw new UserError(
        'service_down',
        `${service} does not respond like a dealer order service: ${plainCause(answer.message)}. Check accounts.${name}.baseUrl.`,
      );
    default:
  }
};
