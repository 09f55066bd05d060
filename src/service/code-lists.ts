import type { CodeLists } from '../contract/carts.ts';
import { cartShipCodes, warehouses } from '../contract/codes.ts';

/** The codes that the service accepts: those of the interface and those that are configured. */
export const codeListsOf = (config: { warehouses: string[]; shipCodes: string[] }): CodeLists => ({
  warehouses: [...warehouses, ...config.warehouses],
  cartShipCodes: [...cartShipCodes, ...config.shipCodes],
});
