import { type CartOptionName, type CartOptions, cartOptionFields } from '../contract/carts.ts';

/** Every cart option, null where it was neither given nor a default. */
export type CartOptionValues = { [Name in CartOptionName]: Exclude<CartOptions[Name], undefined> | null };

const names = Object.keys(cartOptionFields()) as CartOptionName[];

/** What applies where neither the request nor the dealer nor the configuration says anything (spec 2.1). */
const serviceDefaults: CartOptions = {
  default_warehouse: 'GA',
  ship_via: 'BEST',
  cross_ship_via: 'BEST',
  allow_backorder: true,
  hold_order: false,
  multiple_warehouse: false,
  proof_of_delivery: false,
  pay_type: 'OO',
};

/** The options of a cart: the request's, else the dealer's, else the configured, else the service's. */
export const applyDefaults = (
  given: CartOptions,
  dealer: CartOptions,
  configured: CartOptions,
): CartOptionValues => {
  const layers = [given, dealer, configured, serviceDefaults];
  return Object.fromEntries(
    names.map((name) => [
      name,
      layers.map((layer) => layer[name]).find((value) => value !== undefined) ?? null,
    ]),
  ) as CartOptionValues;
};

const dropShipNames: CartOptionName[] = ['ship_name', 'ship_address1', 'ship_city', 'ship_state', 'ship_zip'];

/** Spec 2.2, shipment_type: whether the request itself names a recipient, or it goes to the dealer. */
export const shipmentTypeOf = (given: CartOptions): 'drop_ship' | 'dealer' =>
  dropShipNames.some((name) => given[name]) ? 'drop_ship' : 'dealer';

/** Spec 2.6: where the orders of a cart go. */
export interface ShipTo {
  ship_name: string;
  ship_address: string;
  ship_city: string;
  ship_state: string;
  ship_zip: string;
}

/** The address of spec 2.6 out of the fields of 2.1: its lines in one, empty where there is none. */
export const shipToOf = (options: CartOptionValues): ShipTo => ({
  ship_name: options.ship_name ?? '',
  ship_address: [options.ship_address1, options.ship_address2, options.ship_address3]
    .filter((line) => line)
    .join(', '),
  ship_city: options.ship_city ?? '',
  ship_state: options.ship_state ?? '',
  ship_zip: options.ship_zip ?? '',
});
