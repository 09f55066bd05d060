/** How this process reports its status to the service manager that started it (systemd). */
export interface ServiceManager {
  /** The environment of the program that sends the messages: it names the socket that takes them. */
  environment: { NOTIFY_SOCKET: string; PATH?: string };
  /** The process is restarted if it sends no sign of life for this long. Undefined: it need not send any. */
  watchdogMs: number | undefined;
}

/**
 * Takes what systemd says about its notifications out of the environment: programs that this process starts must not speak
 * for it. Undefined if no service manager asked for it.
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
