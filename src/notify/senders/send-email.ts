import { readFile } from 'node:fs/promises';
import { messageOf, plainCause } from '../../errors.ts';
import type { SmtpSettings } from '../settings.ts';
import type { Attachment, Message, Sent } from '../types.ts';
import type { MessageText } from '../write-text.ts';

const timeoutMs = 30_000;

const explain = ({ host, port, security, user }: SmtpSettings, thrown: unknown): Sent => {
  const { code, responseCode } = thrown as { code?: string; responseCode?: number };
  const server = `The mail server ${host}:${port}`;
  const said = plainCause(messageOf(thrown)).replace(/\s+/g, ' ').slice(0, 300);
  if (code === 'EAUTH') {
    return {
      kind: 'failed',
      message: `${server} refuses the user ${user}: check notifications.smtp.user and the password (${said})`,
    };
  }
  if (code === 'ETLS' || /certificate|self-signed|wrong version number/i.test(said)) {
    return {
      kind: 'failed',
      message: `${server} cannot be used with notifications.smtp.security: ${security}; check security, port and ca (${said})`,
    };
  }
  if (responseCode !== undefined && responseCode >= 500) {
    return { kind: 'refused', message: `${server} refuses the message: ${said}` };
  }
  return { kind: 'failed', message: `${server} did not take the message: ${said}` };
};

const openTransport = async (smtp: SmtpSettings, limitMs = timeoutMs) => {
  // Loaded only if needed: it takes 15 MB.
  const { createTransport } = await import('nodemailer');
  return createTransport({
    host: smtp.host,
    port: smtp.port,
    secure: smtp.security === 'tls',
    requireTLS: smtp.security === 'starttls',
    ignoreTLS: smtp.security === 'none',
    ...(smtp.user === undefined ? {} : { auth: { user: smtp.user, pass: smtp.password ?? '' } }),
    tls: smtp.ca === undefined ? {} : { ca: await readFile(smtp.ca) },
    connectionTimeout: limitMs,
    greetingTimeout: limitMs,
    socketTimeout: limitMs,
    // Text from file names and services must never be used as an address or a path.
    disableUrlAccess: true,
  });
};

/** Connects to the mail server and signs in without sending anything. Returns why that failed. Never throws. */
export const tryMailServer = async (smtp: SmtpSettings, limitMs: number): Promise<string | undefined> => {
  try {
    const transport = await openTransport(smtp, limitMs);
    try {
      await transport.verify();
      return undefined;
    } finally {
      transport.close();
    }
  } catch (thrown) {
    const sent = explain(smtp, thrown);
    return sent.kind === 'sent' ? undefined : sent.message;
  }
};

/** Sends a message by e-mail. Never throws. */
export const sendEmail = async (
  { to, smtp }: { to: readonly string[]; smtp: SmtpSettings },
  { id, createdAt }: Pick<Message, 'id' | 'createdAt'>,
  { subject, paragraphs, severity, prefix = '[Cartwright] ' }: MessageText,
  attachments: readonly Attachment[],
): Promise<Sent> => {
  try {
    const transport = await openTransport(smtp);
    try {
      await transport.sendMail({
        from: { name: 'Cartwright', address: smtp.from },
        to: [...to],
        subject: prefix + subject,
        text: `${paragraphs.map(({ heading, lines }) => [heading, ...lines].join('\n')).join('\n\n')}\n`,
        date: createdAt,
        // The same for each try, so that mail programs show a repeated message once.
        messageId: `<${id}@cartwright>`,
        headers: { 'X-Cartwright-Id': id, 'Auto-Submitted': 'auto-generated' },
        priority: severity === 'alarm' ? 'high' : 'normal',
        attachments: attachments.map(({ name, path }) => ({ filename: name, path })),
      });
      return { kind: 'sent' };
    } finally {
      transport.close();
    }
  } catch (thrown) {
    return explain(smtp, thrown);
  }
};
