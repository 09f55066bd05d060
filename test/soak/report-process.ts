// Preloaded into `cartwright up` (--import): reports the process's resource use to the soak several times a second, and ends the process
// if the soak ends without stopping it.
const everyMs = 500;

/** Resource use of the process; `handles` are the active handles of its event loop: sockets, timers, file requests. */
export interface ProcessUse {
  residentBytes: number;
  heapBytes: number;
  handles: number;
  /** Since its start. */
  cpuMs: number;
}

const send = (): void => {
  if (!process.connected) return;
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const use: ProcessUse = {
    residentBytes: rss,
    heapBytes: heapUsed,
    handles: process.getActiveResourcesInfo().length,
    cpuMs: (user + system) / 1000,
  };
  process.send!(use);
};

// Children of the process inherit the preload, but not the channel.
if (process.send) {
  setInterval(send, everyMs).unref();
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // The channel must not keep the process alive.
  process.channel!.unref();
}
