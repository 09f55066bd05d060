import type { FastifyReply } from 'fastify';

/** Closes the connection of a request without an answer. */
export const closeUnanswered = (reply: FastifyReply): FastifyReply => {
  reply.hijack();
  reply.raw.destroy();
  return reply;
};
