import type { LogFields, Logger } from '../../src/logger.ts';

export interface HeardLine extends LogFields {
  level: 'info' | 'warn' | 'error' | 'fatal';
  message: string;
}

/** A logger that keeps its lines, except level debug. */
export const createHeardLogger = (): { logger: Logger; lines: HeardLine[] } => {
  const lines: HeardLine[] = [];
  const hear = (level: HeardLine['level']) => (fields: LogFields, message: string) =>
    void lines.push({ level, message, ...fields });
  const logger: Logger = {
    debug: () => {},
    info: hear('info'),
    warn: hear('warn'),
    error: hear('error'),
    fatal: hear('fatal'),
    child: () => logger,
  };
  return { logger, lines };
};
