import type { Account } from '../../config/config.ts';
import type { CallResult, ObservedCall } from '../../dealer-api/answers.ts';
import { createDealerApi } from '../../dealer-api/create-dealer-api.ts';
import { createThrottle } from '../../dealer-api/throttle.ts';
import { messageOf, plainCause } from '../../errors.ts';
import { compactDay } from '../../placing/list-range.ts';
import { causeOf } from '../../placing/pauses.ts';
import { serviceCause } from '../../placing/service-causes.ts';
import { aboutClock, asSentence, type Finding, fine, isThisMachine, note, problem } from './finding.ts';

/** Statuses are fetched by date, so a service clock that is wrong can put orders on another day. */
const clockToleratedMs = 60_000;

const aboutCredential = ({ name, api }: Account): Finding[] => {
  if (!api?.baseUrl.startsWith('http:') || isThisMachine(new URL(api.baseUrl).hostname)) return [];
  return [
    problem(
      'service_tls',
      `Calls to ${api.baseUrl} are not encrypted: the credential and customers' addresses can be read on the network.`,
      `Set accounts.${name}.baseUrl to the https:// address of the service.`,
    ),
  ];
};

/** The finding from the answer to a harmless call; undefined: fine. */
const aboutAnswer = ({ name, api }: Account, answer: CallResult<unknown>): Finding | undefined => {
  const check = 'service';
  switch (answer.kind) {
    case 'ok':
      return undefined;
    case 'limited':
      return note(
        check,
        'The service is limiting the rate of calls (429) at the moment, so it could not be checked further.',
        'Try again later.',
      );
    case 'refused':
    case 'conflict':
      return problem(
        'service_dates',
        `The service refused to list today's orders: ${asSentence(plainCause(answer.message))}`,
        `Check accounts.${name}.dateRangeIn and requestFormat.`,
      );
    default: {
      const { meaning, advice } = serviceCause(causeOf(answer), name);
      return problem(
        answer.kind === 'denied' ? 'service_credential' : check,
        `${meaning} ${api?.baseUrl}: ${asSentence(plainCause(answer.message))}`,
        advice,
      );
    }
  }
};

/** The finding from the answer for a PO number that the service cannot know. */
const aboutUnknownPo = (what: string, { kind }: CallResult<unknown>): Finding => {
  const check = `service_unknown_${what}`;
  const one = what === 'order' ? 'an order' : 'a cart';
  if (kind === 'not_found') return fine(check, `It answers 404 for ${one} that does not exist.`);
  if (kind === 'limited')
    return note(
      check,
      `It limited the rate of calls before its ${what}s could be checked.`,
      'Try again later.',
    );
  return problem(
    check,
    `It does not answer 404 for ${one} that does not exist, but: ${kind}. Before it changes anything, Cartwright looks up what exists, and would hold POs.`,
    'Ask the operator of the service how it answers `GET` for an unknown PO number.',
  );
};

const aboutTime = (
  { name, placing: { requestTimeoutMs } }: Account,
  calls: readonly ObservedCall[],
): Finding => {
  const slowest = Math.round(Math.max(...calls.map(({ durationMs }) => durationMs)));
  return slowest > requestTimeoutMs / 2
    ? problem(
        'service_time',
        `Its slowest answer took ${slowest} ms, and calls are given up after ${requestTimeoutMs} ms.`,
        `Raise accounts.${name}.requestTimeout (and settle with it), or ask the operator of the service.`,
      )
    : fine('service_time', `It answers; the slowest of ${calls.length} calls took ${slowest} ms.`);
};

/** Checks an account's service with calls that change nothing. */
export const checkAccountService = async (account: Account): Promise<Finding[]> => {
  const { api, problem: unusable } = account;
  if (!api) {
    return unusable?.code === 'no_service'
      ? [
          note(
            'service',
            'It has no service yet, so nothing can be ordered.',
            `Set accounts.${account.name}.baseUrl.`,
          ),
        ]
      : [problem('service_credential', unusable?.message ?? 'Its service cannot be used.')];
  }
  const calls: { call: ObservedCall; endedAt: number }[] = [];
  let client: ReturnType<typeof createDealerApi>;
  try {
    client = createDealerApi(
      api,
      createThrottle(() => 1),
      (call) => void calls.push({ call, endedAt: Date.now() }),
    );
  } catch (thrown) {
    return [
      problem(
        'service',
        `Its settings cannot be used: ${messageOf(thrown)}.`,
        `Check accounts.${account.name}.`,
      ),
    ];
  }
  try {
    const today = compactDay(new Date());
    const bad = aboutAnswer(account, await client.listOrders(today, today));
    if (bad) return [...aboutCredential(account), bad];
    const unknownPo = `CARTWRIGHT-DOCTOR-${Date.now()}`;
    const order = await client.showOrder(unknownPo);
    const cart = await client.showCart(unknownPo);
    const { call, endedAt } = calls.at(-1)!;
    const serviceTime = call.serviceTime === undefined ? Number.NaN : Date.parse(call.serviceTime);
    return [
      ...aboutCredential(account),
      fine('service_credential', `${api.baseUrl} accepts the credential and lists orders by date.`),
      aboutTime(
        account,
        calls.map((one) => one.call),
      ),
      Number.isNaN(serviceTime)
        ? note('service_clock', 'Its answers do not say what time its clock shows.')
        : aboutClock('service_clock', serviceTime - endedAt, {
            toleratedMs: clockToleratedMs,
            otherwise:
              'Synchronise the clock of this machine (NTP), or tell the operator of the service. Orders near midnight are found a poll later until then.',
          }),
      aboutUnknownPo('order', order),
      aboutUnknownPo('cart', cart),
    ];
  } finally {
    client.stop();
  }
};
