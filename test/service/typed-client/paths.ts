// The types of the service's OpenAPI document, written by openapi-typescript (see client.test.ts, which checks the hash):
// document: 3763762160fb6a32
export interface paths {
  '/carts': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create a cart
     * @description Creates a cart for a PO number. Options that are not sent get the defaults of the dealer.
     */
    post: operations['createCart'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/carts/{po_number}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show a cart
     * @description Returns the open cart of a PO number with its options and items.
     */
    get: operations['showCart'];
    put?: never;
    post?: never;
    /**
     * Delete a cart
     * @description Deletes the open cart of a PO number with all its items.
     */
    delete: operations['deleteCart'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/carts/{po_number}/items': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Add an item to a cart
     * @description Adds an item by SKU or ID. Adding the same item twice adds it twice.
     */
    post: operations['addItem'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/orders': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the POs ordered in a range of days
     * @description Returns every PO that has orders in the range (UTC days, both included), each with its orders in that range. The two fields may also be sent as a JSON or form body.
     */
    get: operations['listOrders'];
    put?: never;
    /**
     * Submit a cart as an order
     * @description Orders the contents of the cart of a PO number. If several warehouses ship, each has an order of its own: the answer names the first, and GET /orders/{po_number} lists them all.
     */
    post: operations['submitOrder'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/orders/{po_number}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show the orders of a PO
     * @description Returns every order under a PO number, with its status.
     */
    get: operations['showOrder'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    CartCreated: {
      /** @description Unique number assigned to the cart. */
      cart_number: string;
      po_number: string;
      /** @description The shipment type. */
      shipment_type: string;
    };
    CartItem: {
      sku: string;
      name: string;
      quantity: number;
      note: string | null;
      available_quantity: number;
      backorder_quantity: number;
      dealer_price: number;
    };
    Cart: {
      /** @description Unique number assigned to the cart. */
      cart_number: string;
      po_number: string;
      /** @description The shipment type. */
      shipment_type: string;
      default_warehouse: ('GA' | 'ID' | 'IN' | 'TX') | null;
      ship_via: ('AH2D' | 'BEST' | 'FE1D' | 'FE2D' | 'UP1D' | 'UP2D' | 'US1C' | 'US4C') | null;
      cross_ship_via: ('AH2D' | 'BEST' | 'FE1D' | 'FE2D' | 'UP1D' | 'UP2D' | 'US1C' | 'US4C') | null;
      ship_to: string | null;
      ship_name: string | null;
      ship_address1: string | null;
      ship_address2: string | null;
      ship_address3: string | null;
      ship_city: string | null;
      ship_state: string | null;
      ship_zip: string | null;
      ship_phone: string | null;
      email: string | null;
      comment1: string | null;
      comment2: string | null;
      allow_backorder: boolean | null;
      hold_order: boolean | null;
      multiple_warehouse: boolean | null;
      proof_of_delivery: boolean | null;
      promo_code: string | null;
      pay_type: ('CC' | 'OO') | null;
      cc_last_four: number | null;
      description: string | null;
      items?: components['schemas']['CartItem'][];
    };
    CartDeleted: {
      po_number: string;
    };
    ItemAdded: {
      sku: string;
      name: string;
      available_quantity: number;
      backorder_quantity: number;
      dealer_price: number;
    };
    OrderCreated: {
      order_number: string;
    };
    OrderItem: {
      sku: string;
      name: string;
      order_quantity: number;
      ship_quantity: number;
      backorder_quantity: number;
      price: number;
    };
    OrderDetail: {
      order_number: string;
      /** @enum {string} */
      order_status: 'In O/E' | 'B/O' | 'Picking' | 'Checking' | 'Shipped' | 'Invoiced';
      invoice_number: number | null;
      freight: number;
      misc_charges: number;
      order_total: number;
      warehouse: string;
      order_date: string | null;
      ship_date: string | null;
      invoice_date: string | null;
      /** @enum {string} */
      ship_via:
        | 'AH2D'
        | 'BEST'
        | 'CO5'
        | 'CPU'
        | 'FDXG'
        | 'FDXH'
        | 'FDXP'
        | 'FDXS'
        | 'FE1D'
        | 'FE2D'
        | 'FLTS'
        | 'GRND'
        | 'GSCP'
        | 'SPDY'
        | 'TRK'
        | 'UPS'
        | 'UPSP'
        | 'UPSR'
        | 'UP1D'
        | 'UP1W'
        | 'UP2D'
        | 'USFC'
        | 'US1C'
        | 'US4C'
        | '1DAY'
        | '2DAY'
        | '3DAY';
      tracking_numbers: string[];
      items: components['schemas']['OrderItem'][];
    };
    PoObject: {
      po_number: string;
      ship_name: string;
      ship_address: string;
      ship_city: string;
      ship_state: string;
      ship_zip: string;
      order_details: components['schemas']['OrderDetail'][];
    };
    /** @description What went wrong (RFC 9457), field by field where fields are the cause. */
    Problem: {
      type: string;
      title: string;
      status: number;
      detail?: string;
      instance?: string;
      errors?: {
        field: string;
        code: string;
        message: string;
      }[];
      /** @description The problem in one sentence, for clients that read only this. */
      message?: string;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  createCart: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "po_number": "PO-1001",
         *       "ship_name": "Ann Miller",
         *       "ship_address1": "1 Elm St",
         *       "ship_city": "Boise",
         *       "ship_state": "ID",
         *       "ship_zip": "83702"
         *     }
         */
        'application/json': {
          /** @description Identifier of the cart. Used to add items and to submit the order. */
          po_number: string;
          /**
           * @description Default warehouse.
           * @enum {string}
           */
          default_warehouse?: 'GA' | 'ID' | 'IN' | 'TX';
          /**
           * @description Shipping method code.
           * @enum {string}
           */
          ship_via?: 'AH2D' | 'BEST' | 'FE1D' | 'FE2D' | 'UP1D' | 'UP2D' | 'US1C' | 'US4C';
          /**
           * @description Cross ship method code.
           * @enum {string}
           */
          cross_ship_via?: 'AH2D' | 'BEST' | 'FE1D' | 'FE2D' | 'UP1D' | 'UP2D' | 'US1C' | 'US4C';
          /** @description Ship-to number assigned by the service operator. */
          ship_to?: string;
          /** @description Drop ship recipient. */
          ship_name?: string;
          /** @description Drop ship address line 1. */
          ship_address1?: string;
          /** @description Drop ship address line 2. */
          ship_address2?: string;
          /** @description Drop ship address line 3. */
          ship_address3?: string;
          /** @description Drop ship city. */
          ship_city?: string;
          /** @description Drop ship state. */
          ship_state?: string;
          /** @description Drop ship zip code. */
          ship_zip?: string;
          /** @description Drop ship phone number. */
          ship_phone?: string;
          /** @description Drop ship e-mail address. */
          email?: string;
          /** @description Comment, line 1. */
          comment1?: string;
          /** @description Comment, line 2. */
          comment2?: string;
          /** @description Allow back order. */
          allow_backorder?: boolean;
          /** @description Hold the order. */
          hold_order?: boolean;
          /** @description Fill from multiple warehouses. */
          multiple_warehouse?: boolean;
          /** @description A signature is required on delivery. */
          proof_of_delivery?: boolean;
          /** @description Promo code. */
          promo_code?: string;
          /**
           * @description CC = credit card, OO = open order.
           * @enum {string}
           */
          pay_type?: 'CC' | 'OO';
          /** @description Last four digits of the credit card on file to use (42 means 0042). */
          cc_last_four?: number;
          /** @description Cart description. */
          description?: string;
        };
        /**
         * @example {
         *       "po_number": "PO-1001",
         *       "ship_name": "Ann Miller",
         *       "ship_address1": "1 Elm St",
         *       "ship_city": "Boise",
         *       "ship_state": "ID",
         *       "ship_zip": "83702"
         *     }
         */
        'application/x-www-form-urlencoded': {
          /** @description Identifier of the cart. Used to add items and to submit the order. */
          po_number: string;
          /**
           * @description Default warehouse.
           * @enum {string}
           */
          default_warehouse?: 'GA' | 'ID' | 'IN' | 'TX';
          /**
           * @description Shipping method code.
           * @enum {string}
           */
          ship_via?: 'AH2D' | 'BEST' | 'FE1D' | 'FE2D' | 'UP1D' | 'UP2D' | 'US1C' | 'US4C';
          /**
           * @description Cross ship method code.
           * @enum {string}
           */
          cross_ship_via?: 'AH2D' | 'BEST' | 'FE1D' | 'FE2D' | 'UP1D' | 'UP2D' | 'US1C' | 'US4C';
          /** @description Ship-to number assigned by the service operator. */
          ship_to?: string;
          /** @description Drop ship recipient. */
          ship_name?: string;
          /** @description Drop ship address line 1. */
          ship_address1?: string;
          /** @description Drop ship address line 2. */
          ship_address2?: string;
          /** @description Drop ship address line 3. */
          ship_address3?: string;
          /** @description Drop ship city. */
          ship_city?: string;
          /** @description Drop ship state. */
          ship_state?: string;
          /** @description Drop ship zip code. */
          ship_zip?: string;
          /** @description Drop ship phone number. */
          ship_phone?: string;
          /** @description Drop ship e-mail address. */
          email?: string;
          /** @description Comment, line 1. */
          comment1?: string;
          /** @description Comment, line 2. */
          comment2?: string;
          /** @description Allow back order. */
          allow_backorder?: boolean;
          /** @description Hold the order. */
          hold_order?: boolean;
          /** @description Fill from multiple warehouses. */
          multiple_warehouse?: boolean;
          /** @description A signature is required on delivery. */
          proof_of_delivery?: boolean;
          /** @description Promo code. */
          promo_code?: string;
          /**
           * @description CC = credit card, OO = open order.
           * @enum {string}
           */
          pay_type?: 'CC' | 'OO';
          /** @description Last four digits of the credit card on file to use (42 means 0042). */
          cc_last_four?: number;
          /** @description Cart description. */
          description?: string;
        };
      };
    };
    responses: {
      /** @description The cart. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "cart_number": "C10000001",
           *       "po_number": "PO-1001",
           *       "shipment_type": "drop_ship"
           *     }
           */
          'application/json': components['schemas']['CartCreated'];
        };
      };
      /** @description malformed: The request could not be parsed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description unauthenticated: A valid token is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description forbidden: This operation is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description cart_exists: This PO already has a cart. already_ordered: This PO has already been ordered. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description body_too_large: The request body is too large. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description unsupported_media_type: The body must be JSON or a form. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description invalid: Some fields are invalid. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description too_many_requests: Too many requests. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description internal: Internal service error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description unavailable: The service is unavailable. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  showCart: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The PO number, percent-encoded (a slash is %2F).
         * @example PO-1001
         */
        po_number: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The cart with its options and items. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "cart_number": "C10000001",
           *       "po_number": "PO-1001",
           *       "shipment_type": "drop_ship",
           *       "default_warehouse": "GA",
           *       "ship_via": "BEST",
           *       "cross_ship_via": "BEST",
           *       "ship_to": null,
           *       "ship_name": "Ann Miller",
           *       "ship_address1": "1 Elm St",
           *       "ship_address2": null,
           *       "ship_address3": null,
           *       "ship_city": "Boise",
           *       "ship_state": "ID",
           *       "ship_zip": "83702",
           *       "ship_phone": null,
           *       "email": null,
           *       "comment1": null,
           *       "comment2": null,
           *       "allow_backorder": true,
           *       "hold_order": false,
           *       "multiple_warehouse": false,
           *       "proof_of_delivery": false,
           *       "promo_code": null,
           *       "pay_type": "OO",
           *       "cc_last_four": null,
           *       "description": null,
           *       "items": [
           *         {
           *           "sku": "HT-1000",
           *           "name": "Item HT-1000",
           *           "quantity": 2,
           *           "note": "Blue, if possible",
           *           "available_quantity": 2,
           *           "backorder_quantity": 0,
           *           "dealer_price": 104.45
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['Cart'];
        };
      };
      /** @description malformed: The request could not be parsed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description unauthenticated: A valid token is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description forbidden: This operation is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description no_cart: This PO has no cart. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description body_too_large: The request body is too large. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description unsupported_media_type: The body must be JSON or a form. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description invalid: Some fields are invalid. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description too_many_requests: Too many requests. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description internal: Internal service error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description unavailable: The service is unavailable. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  deleteCart: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The PO number, percent-encoded (a slash is %2F).
         * @example PO-1002
         */
        po_number: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The cart is deleted. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "po_number": "PO-1002"
           *     }
           */
          'application/json': components['schemas']['CartDeleted'];
        };
      };
      /** @description malformed: The request could not be parsed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description unauthenticated: A valid token is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description forbidden: This operation is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description no_cart: This PO has no cart. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description body_too_large: The request body is too large. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description unsupported_media_type: The body must be JSON or a form. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description invalid: Some fields are invalid. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description too_many_requests: Too many requests. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description internal: Internal service error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description unavailable: The service is unavailable. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  addItem: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The PO number, percent-encoded (a slash is %2F).
         * @example PO-1001
         */
        po_number: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "item_sku": "HT-1000",
         *       "quantity": 2,
         *       "note": "Blue, if possible"
         *     }
         */
        'application/json': {
          /** @description Item SKU; this or item_id is required. */
          item_sku?: string;
          /** @description Item ID; this or item_sku is required. */
          item_id?: string;
          /** @description Desired quantity, a whole number of at least 1. */
          quantity: number;
          /** @description A note. */
          note?: string;
        } & (unknown | unknown);
        /**
         * @example {
         *       "item_sku": "HT-1000",
         *       "quantity": 2,
         *       "note": "Blue, if possible"
         *     }
         */
        'application/x-www-form-urlencoded': {
          /** @description Item SKU; this or item_id is required. */
          item_sku?: string;
          /** @description Item ID; this or item_sku is required. */
          item_id?: string;
          /** @description Desired quantity, a whole number of at least 1. */
          quantity: number;
          /** @description A note. */
          note?: string;
        } & (unknown | unknown);
      };
    };
    responses: {
      /** @description The added item with its available and back-ordered quantities and its price. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "sku": "HT-1000",
           *       "name": "Item HT-1000",
           *       "available_quantity": 2,
           *       "backorder_quantity": 0,
           *       "dealer_price": 104.45
           *     }
           */
          'application/json': components['schemas']['ItemAdded'];
        };
      };
      /** @description malformed: The request could not be parsed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description unauthenticated: A valid token is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description forbidden: This operation is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description no_cart: This PO has no cart. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description body_too_large: The request body is too large. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description unsupported_media_type: The body must be JSON or a form. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description invalid: Some fields are invalid. unknown_item: This item is not in the catalogue. insufficient_stock: There is not enough stock, and back orders are not allowed. cart_full: The cart has reached its maximum number of items. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description too_many_requests: Too many requests. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description internal: Internal service error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description unavailable: The service is unavailable. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listOrders: {
    parameters: {
      query: {
        /**
         * @description A day in the form YYYYMMDD.
         * @example 20260101
         */
        from_date: string;
        /**
         * @description A day in the form YYYYMMDD.
         * @example 20261231
         */
        to_date: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The POs, in the order in which they were submitted. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example [
           *       {
           *         "po_number": "PO-1001",
           *         "ship_name": "Ann Miller",
           *         "ship_address": "1 Elm St",
           *         "ship_city": "Boise",
           *         "ship_state": "ID",
           *         "ship_zip": "83702",
           *         "order_details": [
           *           {
           *             "order_number": "20000001",
           *             "order_status": "Shipped",
           *             "invoice_number": null,
           *             "freight": 10.45,
           *             "misc_charges": 0,
           *             "order_total": 219.35,
           *             "warehouse": "GA",
           *             "order_date": "2026-01-30",
           *             "ship_date": "2026-01-31",
           *             "invoice_date": null,
           *             "ship_via": "BEST",
           *             "tracking_numbers": [
           *               "1Z4F2A9C0D1E3B5768"
           *             ],
           *             "items": [
           *               {
           *                 "sku": "HT-1000",
           *                 "name": "Item HT-1000",
           *                 "order_quantity": 2,
           *                 "ship_quantity": 2,
           *                 "backorder_quantity": 0,
           *                 "price": 104.45
           *               }
           *             ]
           *           }
           *         ]
           *       }
           *     ]
           */
          'application/json': components['schemas']['PoObject'][];
        };
      };
      /** @description malformed: The request could not be parsed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description unauthenticated: A valid token is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description forbidden: This operation is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description body_too_large: The request body is too large. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description unsupported_media_type: The body must be JSON or a form. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description invalid: Some fields are invalid. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description too_many_requests: Too many requests. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description internal: Internal service error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description unavailable: The service is unavailable. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  submitOrder: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "po_number": "PO-1001"
         *     }
         */
        'application/json': {
          /** @description Identifier of the cart. Used to add items and to submit the order. */
          po_number: string;
        };
        /**
         * @example {
         *       "po_number": "PO-1001"
         *     }
         */
        'application/x-www-form-urlencoded': {
          /** @description Identifier of the cart. Used to add items and to submit the order. */
          po_number: string;
        };
      };
    };
    responses: {
      /** @description The order. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "order_number": "20000001"
           *     }
           */
          'application/json': components['schemas']['OrderCreated'];
        };
      };
      /** @description malformed: The request could not be parsed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description unauthenticated: A valid token is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description forbidden: This operation is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description no_cart: This PO has no cart. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description already_ordered: This PO has already been ordered. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description body_too_large: The request body is too large. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description unsupported_media_type: The body must be JSON or a form. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description invalid: Some fields are invalid. cart_empty: An empty cart cannot be ordered. insufficient_stock: There is not enough stock, and back orders are not allowed. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description too_many_requests: Too many requests. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description internal: Internal service error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description unavailable: The service is unavailable. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  showOrder: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The PO number, percent-encoded (a slash is %2F).
         * @example PO-1001
         */
        po_number: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The PO with its orders. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "po_number": "PO-1001",
           *       "ship_name": "Ann Miller",
           *       "ship_address": "1 Elm St",
           *       "ship_city": "Boise",
           *       "ship_state": "ID",
           *       "ship_zip": "83702",
           *       "order_details": [
           *         {
           *           "order_number": "20000001",
           *           "order_status": "Shipped",
           *           "invoice_number": null,
           *           "freight": 10.45,
           *           "misc_charges": 0,
           *           "order_total": 219.35,
           *           "warehouse": "GA",
           *           "order_date": "2026-01-30",
           *           "ship_date": "2026-01-31",
           *           "invoice_date": null,
           *           "ship_via": "BEST",
           *           "tracking_numbers": [
           *             "1Z4F2A9C0D1E3B5768"
           *           ],
           *           "items": [
           *             {
           *               "sku": "HT-1000",
           *               "name": "Item HT-1000",
           *               "order_quantity": 2,
           *               "ship_quantity": 2,
           *               "backorder_quantity": 0,
           *               "price": 104.45
           *             }
           *           ]
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['PoObject'];
        };
      };
      /** @description malformed: The request could not be parsed. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description unauthenticated: A valid token is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description forbidden: This operation is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description no_order: This PO has no order. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description body_too_large: The request body is too large. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description unsupported_media_type: The body must be JSON or a form. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description invalid: Some fields are invalid. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description too_many_requests: Too many requests. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description internal: Internal service error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description unavailable: The service is unavailable. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
}
