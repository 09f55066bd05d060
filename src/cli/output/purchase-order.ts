import { plainCause } from '../../errors.ts';
import type { PurchaseOrderHistory } from '../../ledger/purchase-order-history.ts';
import { whatToDo } from '../../reports/what-to-do.ts';
import { adviceBeside, commandsIn } from './hold-advice.ts';
import { drawRowIssues } from './row-issues.ts';
import { showText, showTime, showUtc } from './show-text.ts';
import { drawTable, right, wrapping } from './table.ts';
import type { Terminal } from './terminal.ts';

const show = (value: number | string | null): string => (value === null ? '' : showText(String(value)));

/** What a person can do about a held PO, with the commands. */
const listAdvice = (
  { poNumber, importId, reasonCode, reasonText }: PurchaseOrderHistory,
  isOneOfSeveral: boolean,
): string[] => {
  const advice = adviceBeside(reasonCode ?? undefined);
  return [
    ...(advice === undefined ? [] : [advice]),
    ...commandsIn(advice ?? reasonText ?? '', poNumber, isOneOfSeveral ? importId : undefined).map(
      (command) => `  ${command}`,
    ),
    ...(reasonCode === 'question' ? ['  cartwright answer'] : []),
  ];
};

const endedBadly: ReadonlySet<PurchaseOrderHistory['state']> = new Set(['rejected', 'failed']);

type Details = Pick<PurchaseOrderHistory, 'issues' | 'lines' | 'rowsPrunedAt' | 'orders' | 'events'>;

/** What is in the total of an order besides its items. */
const chargesOf = ({ freight, miscCharges }: Details['orders'][number]): number =>
  Number(freight ?? 0) + Number(miscCharges ?? 0);

/** Issues, lines, orders and history of a PO, each as a table. */
export const drawDetails = (terminal: Terminal, po: Details): string => {
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
      show(line.price),
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
      show(order.total),
      ...(hasCharges ? [chargesOf(order).toFixed(2)] : []),
      show(order.shipDate),
      show(order.trackingNumbers.join(' ')),
    ]),
  );
  const events = drawTable(
    terminal,
    ['Time (UTC)', 'Event', wrapping('Detail')],
    po.events.map(({ at, what, detail }) => [showUtc(new Date(at)), show(what), show(detail)]),
  );
  return [
    ...(po.issues.length > 0 ? ['', drawRowIssues(terminal, po.issues)] : []),
    ...(po.lines.length > 0 ? ['', lines] : []),
    ...(po.rowsPrunedAt
      ? [`Its lines were removed on ${showUtc(po.rowsPrunedAt)} UTC because of their age (retention.rows).`]
      : []),
    ...(po.orders.length > 0 ? ['', orders] : []),
    ...(po.events.length > 0 ? ['', events] : []),
    '',
  ].join('\n');
};

type ShownPo = PurchaseOrderHistory & { troubles: readonly string[] };

/** Everything that the ledger knows about the POs of a number, and the problems of their accounts. */
export const drawPurchaseOrders = (terminal: Terminal, pos: readonly ShownPo[]): string =>
  pos.map((po) => drawPurchaseOrder(terminal, po, pos.length > 1)).join('\n');

const drawPurchaseOrder = (terminal: Terminal, po: ShownPo, isOneOfSeveral: boolean): string => {
  const facts = [
    `${terminal.paint('bold', showText(po.poNumber))}  ${terminal.paint('cyan', po.state)}  account ${po.account}, import ${po.importId} (${showText(po.fileName)}, row ${po.firstRow})`,
    ...(po.reasonText ? [`${po.reasonCode}: ${showText(po.reasonText)}`] : []),
    ...(po.state === 'held' ? listAdvice(po, isOneOfSeveral) : []),
    ...(endedBadly.has(po.state) && !po.alarmSettledAt
      ? [whatToDo({ state: po.state, reasonCode: po.reasonCode ?? undefined })]
      : []),
    ...(po.alarm
      ? [
          po.alarmSettledAt
            ? `Alarm, settled ${showTime(po.alarmSettledAt)}: ${showText(po.alarm)}`
            : terminal.paint('red', `Alarm: ${showText(po.alarm)}`),
        ]
      : po.alarmSettledAt
        ? [`Settled ${showTime(po.alarmSettledAt)}: a person says that it is not needed.`]
        : []),
    ...po.troubles.map((trouble) => terminal.paint('red', `Waiting: ${showText(plainCause(trouble))}`)),
    ...(po.cartNumber ? [`Cart ${showText(po.cartNumber)}`] : []),
  ];
  return `${facts.join('\n')}\n${drawDetails(terminal, po)}`;
};
