// A server that always sends the same response, in its own process, to measure a client without a service.
import http from 'node:http';
import type { AddressInfo } from 'node:net';

const body = JSON.stringify({
  sku: 'SKU-1',
  name: 'Item SKU-1',
  available_quantity: 10,
  backorder_quantity: 0,
  dealer_price: 12.5,
});
const server = http.createServer((request, response) => {
  request.resume().on('end', () => {
    response.setHeader('content-type', 'application/json').end(body);
  });
});
server.listen(0, '127.0.0.1', () =>
  process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
process.on('disconnect', () => process.exit(0));
