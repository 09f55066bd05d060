// A process whose shutdown hangs after an uncaught error.
import { catchUncaughtErrors } from '../../src/cli/uncaught-errors.ts';

catchUncaughtErrors({
  report: (thrown) => process.stderr.write(`reported: ${(thrown as Error).message}\n`),
  stop: () => {
    setTimeout(() => {
      throw new Error('a later one');
    });
  },
  deadlineMs: () => 200,
});
setInterval(() => {}, 1000);
throw new Error('the first one');
