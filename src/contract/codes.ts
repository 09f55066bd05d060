/** The code lists of the spec. An account may extend the first three, because real services add warehouses. */

/** Spec 2.1, default_warehouse. */
export const warehouses = ['GA', 'ID', 'IN', 'TX'] as const;

/** Spec 2.4: codes accepted for ship_via and cross_ship_via on a cart. */
export const cartShipCodes = ['AH2D', 'BEST', 'FE1D', 'FE2D', 'UP1D', 'UP2D', 'US1C', 'US4C'] as const;

/** Spec 2.4: codes that can appear as ship_via in an order detail. */
export const orderShipCodes = [
  'AH2D',
  'BEST',
  'CO5',
  'CPU',
  'FDXG',
  'FDXH',
  'FDXP',
  'FDXS',
  'FE1D',
  'FE2D',
  'FLTS',
  'GRND',
  'GSCP',
  'SPDY',
  'TRK',
  'UPS',
  'UPSP',
  'UPSR',
  'UP1D',
  'UP1W',
  'UP2D',
  'USFC',
  'US1C',
  'US4C',
  '1DAY',
  '2DAY',
  '3DAY',
] as const;

/** Spec 3: the values of order_status. */
export const orderStatuses = ['In O/E', 'B/O', 'Picking', 'Checking', 'Shipped', 'Invoiced'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** Spec 2.1, pay_type: CC = credit card, OO = open order. */
export const payTypes = ['CC', 'OO'] as const;
