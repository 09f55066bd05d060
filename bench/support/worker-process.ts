// A worker in its own process: the argument is its configuration file; the environment names the servers.

import { loadConfig } from '../../src/config/load-config.ts';
import { createLogger } from '../../src/logger.ts';
import { openRuntime } from '../../src/worker/open-runtime.ts';
import { startWorker } from '../../src/worker/start-worker.ts';

const [file] = process.argv.slice(2) as [string];
const logger = createLogger({ level: 'error', readable: true });
const runtime = await openRuntime({ config: loadConfig({ file }), logger });
const worker = await startWorker(runtime);
process.send!('started');
process.on(
  'disconnect',
  () =>
    void worker
      .stop()
      .then(() => runtime.stop())
      .then(() => process.exit(0)),
);
