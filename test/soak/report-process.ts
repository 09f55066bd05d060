// Preloaded into `cartwright up` (--import): reports to the soak several times a second what the process uses, and ends the process
// when the soak has ended without stopping it.
const everyMs = 500;

/** What the process uses; `handles` are what keeps its event loop busy: sockets, timers, requests to files. */
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
  // The process must end as it does without a parent.
  process.channel!.unref();
}
