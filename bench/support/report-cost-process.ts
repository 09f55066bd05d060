// Preloaded into a forked process (--import): sends its CPU time to the parent several times a second, so that the cost of
// a process is known even if it is killed.

const send = () => {
  if (process.connected) process.send!({ cpu: process.cpuUsage(), residentBytes: process.memoryUsage.rss() });
};
if (process.send) {
  setInterval(send, 100).unref();
  process.once('exit', send);
  // The process must end as it does without a parent.
  process.channel!.unref();
}
