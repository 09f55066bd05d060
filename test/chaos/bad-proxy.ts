import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

/** The ways in which a proxy in front of a dealer's service may fail. */
export const badWays = ['bomb', '429', 'html', 'hang'] as const;
export type BadWay = (typeof badWays)[number];

/** A failing proxy between one account and the service. */
export interface BadProxy {
  url: string;
  /** How often it failed, by kind. */
  given: Record<BadWay, number>;
  /** From now on it passes everything on. */
  calm(): void;
  stop(): Promise<void>;
}

/** Inflates to twice the size that a client should ever read: the schema's default is 32 MiB. */
const bombBytes = 67_108_864;
const html = '<!doctype html><title>Sign in</title><h1>Sign in</h1>';

/** This many calls in a row fail in one way, then in the next: bursts instead of single failures. */
const storms: { way: BadWay | 'pass'; calls: number }[] = [
  { way: 'pass', calls: 8 },
  { way: 'hang', calls: 4 },
  { way: 'pass', calls: 8 },
  { way: 'bomb', calls: 4 },
  { way: 'pass', calls: 8 },
  { way: '429', calls: 4 },
  { way: 'pass', calls: 8 },
  { way: 'html', calls: 3 },
];

/**
 * A proxy with storms in which all calls get a bad answer, half of them after they were forwarded and took effect.
 */
export const startBadProxy = async (target: string, random: () => number): Promise<BadProxy> => {
  const bomb = gzipSync(Buffer.alloc(bombBytes, ' '));
  const given: Record<BadWay, number> = { bomb: 0, 429: 0, html: 0, hang: 0 };
  const round = storms.flatMap(({ way, calls }) => Array.from({ length: calls }, () => way));
  let calls = 0;
  let calmed = false;

  const misbehave = (way: BadWay, response: ServerResponse): void => {
    given[way] += 1;
    if (way === 'hang') return;
    if (way === 'bomb') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(bomb);
    } else if (way === '429') {
      response.writeHead(429, { 'retry-after': '1' });
      response.end();
    } else {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end(html);
    }
  };
  const passOn = (incoming: IncomingMessage, onAnswer: (answer: IncomingMessage | undefined) => void) => {
    const outgoing = request(
      `${target}${incoming.url}`,
      { method: incoming.method, headers: { ...incoming.headers, host: new URL(target).host } },
      onAnswer,
    );
    outgoing.on('error', () => onAnswer(undefined));
    incoming.pipe(outgoing);
  };

  const server: Server = createServer((incoming, response) => {
    const way = calmed ? 'pass' : round[calls % round.length]!;
    calls += 1;
    // A refused request has no effect, so the proxy does not forward it.
    if (way !== 'pass' && (way === '429' || random() < 0.5)) {
      incoming.resume();
      return misbehave(way, response);
    }
    passOn(incoming, (answer) => {
      if (way !== 'pass') {
        answer?.resume();
        return misbehave(way, response);
      }
      if (!answer) return void response.destroy();
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    given,
    calm: () => {
      calmed = true;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
