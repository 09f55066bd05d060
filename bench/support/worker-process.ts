// A worker in a process of its own: `{ file }` names its configuration; servers come by the environment.

import { openRuntime } from '../../src/cli/open-runtime.ts';
import { startWorker } from '../../src/cli/start-worker.ts';
import { loadConfig } from '../../src/config.ts';
import { createLogger } from '../../src/logger.ts';

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
