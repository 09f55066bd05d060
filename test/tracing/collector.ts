import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ReceivedSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  kind: number;
  status: number | undefined;
  facts: Record<string, string | number>;
}

interface KeyValue {
  key: string;
  value: { stringValue?: string; intValue?: string | number };
}
interface Sent {
  resourceSpans: {
    resource: { attributes: KeyValue[] };
    scopeSpans: {
      spans: {
        name: string;
        traceId: string;
        spanId: string;
        parentSpanId?: string;
        kind: number;
        status?: { code?: number };
        attributes: KeyValue[];
      }[];
    }[];
  }[];
}

const factsOf = (attributes: readonly KeyValue[]): ReceivedSpan['facts'] =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]));

/** A collector of OTLP over HTTP with JSON, on loopback. */
export const startCollector = async () => {
  const bodies: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const paths = new Set<string>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    bodies.push(Buffer.concat(chunks).toString());
    headers.push(request.headers);
    paths.add(request.url!);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const sent = () => bodies.map((body) => JSON.parse(body) as Sent).flatMap((one) => one.resourceSpans);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    headers,
    paths,
    resource: () => factsOf(sent()[0]?.resource.attributes ?? []),
    spans: (): ReceivedSpan[] =>
      sent()
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
        .map(({ name, traceId, spanId, parentSpanId, kind, status, attributes }) => ({
          name,
          traceId,
          spanId,
          parentSpanId: parentSpanId || undefined,
          kind,
          status: status?.code,
          facts: factsOf(attributes),
        })),
  };
};
