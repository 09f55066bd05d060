import type { FastifyReply } from 'fastify';

/** The name of a download: no control characters, no separators, nothing that a header or a file system could misread. */
const safeName = (name: string): string =>
  name
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{C}\u2028\u2029/\\:*?"<>|]/gu, '_')
    .replace(/^[.\s]+/, '_')
    .slice(0, 150) || 'file';

/** Makes the answer a download under this name, so that no browser shows it as a page of the console. */
export const attachment = (reply: FastifyReply, name: string, type: string): void => {
  const safe = safeName(name);
  const ascii = safe.replace(/[^\x20-\x7e]/g, '_');
  const encoded = encodeURIComponent(safe).replace(
    /['()*]/g,
    (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  reply
    .header('content-type', type)
    .header('content-disposition', `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`)
    .header('x-content-type-options', 'nosniff');
};
