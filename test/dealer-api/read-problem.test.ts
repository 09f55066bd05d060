import { describe, expect, test } from 'vitest';
import { readProblem } from '../../src/dealer-api/read-problem.ts';

describe("the service's message about a refusal", () => {
  test.each([
    [
      '{"title":"Bad","detail":"no such item","errors":[{"field":"sku","message":"unknown"}]}',
      'no such item; sku: unknown',
    ],
    ['{"title":"Bad"}', 'Bad'],
    [
      '{"message":"Not in stock. sku: is unknown","errors":[{"field":"sku","message":"is unknown"}]}',
      'Not in stock. sku: is unknown',
    ],
    ['{"message":"Bad. a.b: no; b: no","errors":[{"field":"b","message":"no"}]}', 'Bad. a.b: no; b: no'],
    ['{"errors":["Not in stock.","Not in stock"]}', 'Not in stock'],
    [
      '{"message":"Invalid","errors":[{"field":"qty","message":"at most 1"},{"field":"max.qty","message":"at most 1"},{"field":"qty","message":"at most 10"}]}',
      'Invalid; qty: at most 1; max.qty: at most 1; qty: at most 10',
    ],
    ['{"message":"m"}', 'm'],
    ['{"error":"e"}', 'e'],
    ['{"errors":["one",{"detail":"two"}]}', 'one; two'],
    ['"just text"', 'just text'],
    ['Plain\n  words', 'Plain words'],
    ['[1]', '[1]'],
    ['{"code":7}', '{"code":7}'],
    ['{"detail":"a\\u0000b"}', 'a b'],
  ])('%s', (body, words) => {
    expect(readProblem(422, body)).toBe(`answered 422: ${words}`);
  });

  const shapes: [string, unknown, string][] = [
    [
      'Laravel',
      {
        message: 'The given data was invalid.',
        errors: { item_sku: ['no such item'], quantity: ['too many', 'not whole'] },
      },
      'The given data was invalid.; item_sku: no such item; quantity: too many; quantity: not whole',
    ],
    [
      'Rails, by field',
      { errors: { item_sku: ['is unknown'], base: ['Cart is closed'] } },
      'item_sku: is unknown; Cart is closed',
    ],
    ['Rails, whole sentences', { errors: ["Quantity can't be blank"] }, "Quantity can't be blank"],
    ['Rails, bare', { item_sku: ['is unknown'] }, 'item_sku: is unknown'],
    ['Rails, one word', { status: 422, error: 'Unprocessable Entity' }, 'Unprocessable Entity'],
    [
      'RFC 9457 with pointers',
      {
        type: 'https://x/y',
        title: 'Not valid',
        errors: [{ detail: 'must be positive', pointer: '#/items/0/quantity' }],
      },
      'Not valid; items.0.quantity: must be positive',
    ],
    [
      'RFC 7807 with invalid-params',
      { title: 'Not valid', 'invalid-params': [{ name: 'quantity', reason: 'must be positive' }] },
      'Not valid; quantity: must be positive',
    ],
    [
      'JSON:API',
      {
        errors: [
          {
            status: '422',
            title: 'Invalid',
            detail: 'no such item',
            source: { pointer: '/data/attributes/item_sku' },
          },
        ],
      },
      'item_sku: no such item',
    ],
    ['error.message', { error: { code: 17, message: 'no such item' } }, 'no such item'],
    [
      'Stripe',
      {
        error: { type: 'invalid_request_error', param: 'item_sku', message: 'no such item', code: 'missing' },
      },
      'item_sku: no such item',
    ],
    [
      'Google',
      {
        error: {
          code: 400,
          message: 'Invalid value',
          status: 'INVALID_ARGUMENT',
          details: [
            {
              '@type': 'type.googleapis.com/google.rpc.BadRequest',
              fieldViolations: [{ field: 'quantity', description: 'must be positive' }],
            },
          ],
        },
      },
      'Invalid value; quantity: must be positive',
    ],
    ['OAuth', { error: 'invalid_request', error_description: 'no such item' }, 'no such item'],
    [
      'FastAPI',
      { detail: [{ loc: ['body', 'items', 0, 'quantity'], msg: 'not an integer', type: 'int' }] },
      'items.0.quantity: not an integer',
    ],
    [
      'Django, by field',
      { quantity: ['too many'], non_field_errors: ['closed'] },
      'quantity: too many; closed',
    ],
    ['Django, nested', { items: [{}, { quantity: ['too many'] }] }, 'items.1.quantity: too many'],
    ['Django, one word', { detail: 'Not allowed.' }, 'Not allowed.'],
    [
      'Spring',
      {
        timestamp: '2026-01-01',
        status: 400,
        error: 'Bad Request',
        message: 'Validation failed',
        path: '/carts/PO-1/items',
        errors: [{ field: 'quantity', defaultMessage: 'must be positive', rejectedValue: -1 }],
      },
      'Validation failed; quantity: must be positive',
    ],
    [
      'ASP.NET',
      {
        title: 'One or more errors',
        status: 400,
        traceId: '00-1',
        errors: { '$.quantity': ['not a number'] },
      },
      'One or more errors; $.quantity: not a number',
    ],
    [
      'ASP.NET, older',
      { Message: 'The request is invalid.', ModelState: { 'item.Quantity': ['required'] } },
      'The request is invalid.; item.Quantity: required',
    ],
    [
      'OData, SAP',
      {
        error: {
          code: 'X/1',
          message: { lang: 'en', value: 'Not valid' },
          innererror: { errordetails: [{ code: 'Q', message: 'too many', target: 'Quantity' }] },
        },
      },
      'Not valid; Quantity: too many',
    ],
    [
      'NestJS',
      {
        statusCode: 400,
        message: ['quantity must be positive', 'item_sku is unknown'],
        error: 'Bad Request',
      },
      'quantity must be positive; item_sku is unknown',
    ],
    [
      'Zod',
      {
        error: {
          issues: [{ path: ['items', 0, 'quantity'], message: 'too many', code: 'too_big' }],
          name: 'ZodError',
        },
      },
      'items.0.quantity: too many',
    ],
    [
      'Zod, flattened',
      { formErrors: ['closed'], fieldErrors: { quantity: ['too many'] } },
      'closed; quantity: too many',
    ],
    [
      'express-validator',
      { errors: [{ type: 'field', location: 'body', path: 'quantity', msg: 'too many', value: '9' }] },
      'quantity: too many',
    ],
    ['Symfony', { violations: [{ propertyPath: 'quantity', message: 'too many' }] }, 'quantity: too many'],
    [
      'Mongoose',
      {
        message: 'Validation failed',
        errors: { quantity: { name: 'ValidatorError', message: 'too many', path: 'quantity' } },
      },
      'Validation failed; quantity: too many',
    ],
    [
      'Salesforce',
      [{ message: 'required fields are missing', errorCode: 'REQUIRED', fields: ['Quantity__c'] }],
      'Quantity__c: required fields are missing',
    ],
    [
      'PayPal',
      {
        name: 'UNPROCESSABLE_ENTITY',
        message: 'The action could not be done.',
        details: [{ field: '/items/0/sku', issue: 'UNKNOWN', description: 'no such item' }],
      },
      'The action could not be done.; items.0.sku: no such item',
    ],
    [
      'WordPress',
      {
        code: 'rest_invalid_param',
        message: 'Invalid parameter(s): quantity',
        data: { status: 400, params: { quantity: 'too many' } },
      },
      'Invalid parameter(s): quantity; quantity: too many',
    ],
    [
      'GraphQL',
      { data: null, errors: [{ message: 'no such item', path: ['addItem'] }] },
      'addItem: no such item',
    ],
    ['Shopify, one word', { errors: 'Not Found' }, 'Not Found'],
    [
      'Apigee',
      { fault: { faultstring: 'Rate exceeded', detail: { errorcode: 'x.y' } } },
      'Rate exceeded; x.y',
    ],
    ['an envelope', { success: false, result: { errors: { quantity: 'too many' } } }, 'quantity: too many'],
    ['codes only', { errors: [{ code: 'OUT_OF_STOCK', field: 'item_sku' }] }, 'item_sku: OUT_OF_STOCK'],
    ['the same twice', { message: 'no such item', errors: [{ message: 'no such item' }] }, 'no such item'],
  ];
  test.each(shapes)('in the shape of %s', (_, body, words) => {
    expect(readProblem(422, JSON.stringify(body))).toBe(`answered 422: ${words}`);
  });

  test('is the texts of an XML body', () => {
    const body = '<?xml version="1.0"?><error><field>quantity</field><message>too many</message></error>';
    expect(readProblem(400, body)).toBe('answered 400: quantity too many');
  });

  test('is read quickly and stays short for any body, and one long problem hides no other', () => {
    const long = 'x'.repeat(5000);
    const words = readProblem(
      422,
      JSON.stringify({ message: long, errors: { item_sku: [long], quantity: ['too many'] } }),
    );
    expect(words.length).toBeLessThanOrEqual(520);
    expect(words).toContain('item_sku: x');
    const hostile = [
      `${'{"errors":['.repeat(20_000)}"deep"${']}'.repeat(20_000)}`,
      JSON.stringify({ errors: Array.from({ length: 100_000 }, (_, at) => `problem ${at}`) }),
      JSON.stringify({
        errors: Object.fromEntries(
          Array.from({ length: 50_000 }, (_, at) => [`f${at}`, [long.slice(0, 20)]]),
        ),
      }),
      '<'.repeat(3_000_000),
      ' '.repeat(3_000_000),
      '['.repeat(3_000_000),
    ];
    for (const body of hostile) expect(readProblem(422, body).length).toBeLessThanOrEqual(520);
  });

  test('is the status if there is no body', () => {
    expect(readProblem(400, '')).toBe('answered 400');
    expect(readProblem(400, '{}')).toBe('answered 400: {}');
  });

  test('is cut if it is long, never within a character', () => {
    const words = readProblem(400, `${'x'.repeat(499)}😀`);
    expect(words.length).toBeLessThan(530);
    expect(words.isWellFormed()).toBe(true);
  });
});
