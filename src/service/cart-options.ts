import { type CartOptionName, type CartOptions, cartOptionFields } from '../contract/carts.ts';

/** Every cart option; null if neither the request nor a default sets it. */
export type CartOptionValues = { [Name in CartOptionName]: Exclude<CartOptions[Name], undefined> | null };

const names = Object.keys(cartOptionFields()) as CartOptionName[];

/** Used if neither the request, the dealer nor the configuration sets the option (spec 2.1). */
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

/** The options of a cart: the request's first, then the dealer's, the configuration's and the service's defaults. */
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

/** shipment_type (spec 2.2): `drop_ship` if the request itself names a recipient. */
export const shipmentTypeOf = (given: CartOptions): 'drop_ship' | 'dealer' =>
  dropShipNames.some((name) => given[name]) ? 'drop_ship' : 'dealer';

/** The shipping address of a PO object (spec 2.6). */
export interface ShipTo {
  ship_name: string;
  ship_address: string;
  ship_city: string;
  ship_state: string;
  ship_zip: string;
}

/** Builds the shipping address (spec 2.6) from the cart options (spec 2.1): address lines joined, empty if absent. */
export const shipToOf = (options: CartOptionValues): ShipTo => ({
  ship_name: options.ship_name ?? '',
  ship_address: [options.ship_address1, options.ship_address2, options.ship_address3]
    .filter((line) => line)
    .join(', '),
  ship_city: options.ship_city ?? '',
  ship_state: options.ship_state ?? '',
  ship_zip: options.ship_zip ?? '',
});
