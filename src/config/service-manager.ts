/** The means to report status to the service manager that started this process (systemd). */
export interface ServiceManager {
  /** The environment of the program that sends the messages; it names the socket. */
  environment: { NOTIFY_SOCKET: string; PATH?: string };
  /** The process is restarted if it sends no heartbeat for this long. Undefined: no heartbeats needed. */
  watchdogMs: number | undefined;
}

/**
 * Removes systemd's notification variables from the environment, so that child processes do not report in our name. Undefined
 * if no service manager asked for reports.
 */
export const takeServiceManager = (env: NodeJS.ProcessEnv): ServiceManager | undefined => {
  const { NOTIFY_SOCKET: socket, WATCHDOG_USEC: limit, WATCHDOG_PID: pid, PATH } = env;
  for (const name of ['NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID']) delete env[name];
  if (!socket) return undefined;
  const watchdogMs = Number(limit ?? '') / 1000;
  const isOurs = pid === undefined || pid === '' || pid === String(process.pid);
  return {
    environment: { NOTIFY_SOCKET: socket, ...(PATH === undefined ? {} : { PATH }) },
    watchdogMs: isOurs && watchdogMs > 0 ? watchdogMs : undefined,
  };
};
