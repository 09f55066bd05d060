import type { Socket } from 'node:net';
import { type ProblemCode, problemKinds, problemOf, problemType } from './problems.ts';

const codes: Record<string, ProblemCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'head_too_large',
};

/** Answers what Node could not even read as a request: a problem in plain bytes, and the end of the connection. */
export const answerBrokenRequest = (error: Error & { code?: string }, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const code = codes[error.code ?? ''] ?? 'malformed';
  const body = JSON.stringify(problemOf(code));
  socket.end(
    `HTTP/1.1 ${problemKinds[code][0]} ${problemKinds[code][1]}\r\nContent-Type: ${problemType}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nAPI-Version: 4\r\nConnection: close\r\n\r\n${body}`,
    // A half-open client would keep its side for ever.
    () => socket.destroy(),
  );
};
