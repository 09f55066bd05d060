import { MultiBar, Presets, type SingleBar } from 'cli-progress';
import type { Terminal } from './terminal.ts';

export interface Progress {
  /** Sets the progress of a task, with one bar per name; `total` is undefined while unknown. */
  set(name: string, done: number, total: number | undefined): void;
  /** Removes the bars. Idempotent. */
  stop(): void;
}

const silent: Progress = { set() {}, stop() {} };

/** Progress bars on standard error if it is a terminal; nothing in a pipe or with --json. */
export const createProgress = (terminal: Terminal): Progress => {
  if (!terminal.live) return silent;
  const bars = new MultiBar(
    {
      stream: process.stderr,
      clearOnComplete: true,
      hideCursor: true,
      stopOnComplete: false,
      barsize: 28,
      // A bar that handled signals would end the process before running jobs have finished.
      gracefulExit: false,
      autopadding: true,
      format: (options, params, payload: { name: string; known: boolean }) => {
        const at = params.value.toLocaleString('en-US');
        if (!payload.known) return `  ${payload.name.padEnd(14)} ${at}`;
        const filled = Math.round(params.progress * options.barsize!);
        const bar = '█'.repeat(filled) + '░'.repeat(options.barsize! - filled);
        return `  ${payload.name.padEnd(14)} ${bar} ${at} of ${params.total.toLocaleString('en-US')}`;
      },
    },
    Presets.shades_classic,
  );
  const byName = new Map<string, SingleBar>();
  return {
    set(name, done, total) {
      const payload = { name, known: total !== undefined };
      const bar = byName.get(name);
      if (bar) {
        bar.setTotal(Math.max(1, total ?? done));
        bar.update(done, payload);
      } else byName.set(name, bars.create(Math.max(1, total ?? done), done, payload));
    },
    stop: () => bars.stop(),
  };
};
