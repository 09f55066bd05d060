import type { PoDetail } from '../../api-contract/purchase-orders.ts';
import { plainCause } from '../../errors.ts';
import { isActiveState } from '../../placing/types.ts';
import { whatToDo } from '../../reports/what-to-do.ts';
import { adviceBeside, commandsFor } from './hold-advice.ts';
import { drawRowIssues } from './row-issues.ts';
import { count, showMoney, showText, showUtc } from './show-text.ts';
import { drawTable, right, wrapping } from './table.ts';
import type { Terminal } from './terminal.ts';

const show = (value: number | string | null): string => (value === null ? '' : showText(String(value)));
const money = (decimal: string | null): string => (decimal === null ? '' : showMoney(decimal));

/** The possible actions on a held PO, with the commands. */
const listAdvice = (
  { poNumber, importId, reasonCode, banner }: PoDetail,
  isOneOfSeveral: boolean,
): string[] => {
  const advice = adviceBeside(reasonCode ?? undefined);
  return [
    ...(advice === undefined ? [] : [advice]),
    ...(reasonCode === 'question' ? ['  cartwright answer'] : []),
    ...commandsFor(
      banner.actions.map(({ action }) => action),
      poNumber,
      isOneOfSeveral ? importId : undefined,
    ).map((command) => `  ${command}`),
  ];
};

const endedBadly: ReadonlySet<PoDetail['state']> = new Set(['rejected', 'failed']);

/** The charges in an order's total besides its items. */
const chargesOf = ({ freight, miscCharges }: PoDetail['orders'][number]): number =>
  Number(freight ?? 0) + Number(miscCharges ?? 0);

/** Issues, lines, orders and history of a PO, each as a table. */
const drawDetails = (terminal: Terminal, po: PoDetail): string => {
  const lines = drawTable(
    terminal,
    [
      right('Row'),
      'Item',
      right('Quantity'),
      right('Available'),
      right('Backorder'),
      right('Price'),
      wrapping('Rejected by service'),
    ],
    po.lines.map((line) => [
      String(line.rowNumber),
      show(line.item),
      show(line.quantity),
      show(line.available),
      show(line.backorder),
      money(line.price),
      show(line.refusal),
    ]),
  );
  const hasCharges = po.orders.some((order) => chargesOf(order) !== 0);
  const orders = drawTable(
    terminal,
    [
      'Order',
      'Status',
      'Warehouse',
      right('Total'),
      ...(hasCharges ? [{ head: 'of it freight', align: 'right' as const, wraps: true }] : []),
      'Shipped',
      wrapping('Tracking'),
    ],
    po.orders.map((order) => [
      show(order.orderNumber),
      show(order.status),
      show(order.warehouse),
      money(order.total),
      ...(hasCharges ? [money(chargesOf(order).toFixed(6))] : []),
      show(order.shipDate),
      show(order.trackingNumbers.map(({ number }) => number).join(' ')),
    ]),
  );
  const events = drawTable(
    terminal,
    ['Time (UTC)', 'Event', wrapping('Detail')],
    po.timeline.map(({ at, what, who, detail }) => [
      showUtc(new Date(at)),
      show(who === null ? what : `${what} by ${who}`),
      show(detail),
    ]),
  );
  return [
    ...(po.issues.length > 0 ? ['', drawRowIssues(terminal, po.issues)] : []),
    ...(po.lines.length > 0 ? ['', lines] : []),
    ...(po.rowsPrunedAt === null && po.lineCount > po.lines.length
      ? [`… and ${count(po.lineCount - po.lines.length, 'line')} more`]
      : []),
    ...(po.rowsPrunedAt
      ? [
          `Its lines were removed on ${showUtc(new Date(po.rowsPrunedAt))} UTC because of their age (retention.rows).`,
        ]
      : []),
    ...(po.orders.length > 0 ? ['', orders] : []),
    ...(po.timeline.length > 0 ? ['', events] : []),
    '',
  ].join('\n');
};

/** `troubles`: why the workers cannot continue it, if known. */
type ShownPo = PoDetail & { troubles?: readonly string[] };

/** Everything that the ledger knows about the POs of a number, and the problems of their accounts. */
export const drawPurchaseOrders = (terminal: Terminal, pos: readonly ShownPo[]): string =>
  pos.map((po) => drawPurchaseOrder(terminal, po, pos.length > 1)).join('\n');

const drawPurchaseOrder = (terminal: Terminal, po: ShownPo, isOneOfSeveral: boolean): string => {
  const facts = [
    `${terminal.paint('bold', showText(po.poNumber))}  ${terminal.paint('cyan', po.state)}  account ${po.account}, import ${po.importId} (${showText(po.fileName)}, row ${po.firstRow})`,
    ...(po.reasonCode && po.reasonText ? [`${po.reasonCode}: ${showText(po.reasonText)}`] : []),
    ...(po.state === 'held' ? listAdvice(po, isOneOfSeveral) : []),
    ...(endedBadly.has(po.state) && !po.settled
      ? [whatToDo({ state: po.state, reasonCode: po.reasonCode ?? undefined })]
      : []),
    ...(po.alarm ? [terminal.paint(po.settled ? 'dim' : 'red', `Alarm: ${showText(po.alarm)}`)] : []),
    ...(po.settled ? ['Settled: a person says that it is not needed.'] : []),
    ...(isActiveState(po.state)
      ? [showText([po.banner.sentence, po.banner.next].filter((text) => text !== null).join(' '))]
      : []),
    ...(po.troubles ?? []).map((trouble) =>
      terminal.paint('red', `Waiting: ${showText(plainCause(trouble))}`),
    ),
    ...(po.cartNumber ? [`Cart ${showText(po.cartNumber)}`] : []),
  ];
  return `${facts.join('\n')}\n${drawDetails(terminal, po)}`;
};
