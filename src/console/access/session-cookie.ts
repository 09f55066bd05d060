import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ConsoleSettings } from '../../config/config.ts';

/** The console's cookies. The prefix `__Host-` makes browsers refuse them from other hosts and without TLS. */
export const cookiesOf = ({ tls, publicUrl }: Pick<ConsoleSettings, 'tls' | 'publicUrl'>) => {
  const secure = tls !== undefined || publicUrl?.startsWith('https:') === true;
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
  return (purpose: 'session' | 'openid') => {
    const plain = purpose === 'session' ? 'cartwright' : `cartwright-${purpose}`;
    const name = secure ? `__Host-${plain}` : plain;
    return {
      read: ({ cookies }: FastifyRequest): string | undefined => cookies[name],
      set: (reply: FastifyReply, value: string, expires: Date) =>
        void reply.setCookie(name, value, { ...options, expires }),
      clear: (reply: FastifyReply) => void reply.clearCookie(name, options),
    };
  };
};
