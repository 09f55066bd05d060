/** Of Node: refused, reset, timed out, no such host or network. */
const ofNode = /^(?:ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_|EHOST|ENET)/;
/** SQLSTATE: connection exceptions, a server that shuts down or starts, too many connections. */
const ofPostgres = /^(?:08|57P0|53300)/;
/** pg has no codes for these. */
const ofClient =
  /Connection terminated|timeout exceeded when trying to connect|Cannot use a pool after|Client has encountered a connection error|Query read timeout/;

/** Whether an error means that the connection to a server was lost, or could not be opened. Pure. */
export const isLostConnection = (thrown: unknown): boolean => {
  const { code, errors } = thrown as { code?: unknown; errors?: unknown[] };
  if (Array.isArray(errors) && errors.length > 0) return errors.some(isLostConnection);
  const name = typeof code === 'string' ? code : '';
  return (
    ofNode.test(name) || ofPostgres.test(name) || (thrown instanceof Error && ofClient.test(thrown.message))
  );
};
