const reasons: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'no host has this name',
  EAI_AGAIN: 'the name of the host cannot be resolved',
  ETIMEDOUT: 'it does not answer',
  '28P01': 'it refused the user or the password',
  '28000': 'it refused the user or the password',
  '3D000': 'it has no database of this name',
};

/** Why a database cannot be used, in a sentence that contains its address but no user and no password. */
export const explainDatabase = (thrown: unknown, databaseUrl: string): string => {
  // If pg has tried several addresses, it throws an AggregateError without a message.
  const cause = thrown instanceof AggregateError ? (thrown.errors[0] as unknown) : thrown;
  const { code = '', message } = cause as { code?: string; message: string };
  const place = URL.canParse(databaseUrl) ? new URL(databaseUrl) : undefined;
  const at = place === undefined ? '' : ` at ${place.host}${place.pathname}`;
  return `startService cannot use the database${at}: ${reasons[code] ?? message}. Check databaseUrl, or leave it out to use the built-in database.`;
};
