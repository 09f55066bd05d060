// Preloaded into a forked process (--import): sends its CPU time to the parent several times a second, so that the parent knows
// the cost even of a killed process.

const send = () => {
  if (process.connected) process.send!({ cpu: process.cpuUsage(), residentBytes: process.memoryUsage.rss() });
};
if (process.send) {
  setInterval(send, 100).unref();
  process.once('exit', send);
  // The channel must not keep the process alive.
  process.channel!.unref();
}
