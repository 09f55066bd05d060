/** Settings that are no settings any more: what happens instead. A file that has one still works in the version that removes it. */
const removed: Readonly<Record<string, string>> = {
  'worker.jobPerStage':
    'one job takes a PO to its order; with `console.queues.readOnly: false`, where people pause queues, each stage is a job of its own',
};

type Tree = Record<string, unknown>;

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

const without = (settings: unknown, [first, ...rest]: readonly string[]): unknown => {
  if (!isTree(settings) || first === undefined || !Object.hasOwn(settings, first)) return settings;
  const { [first]: inner, ...others } = settings;
  return rest.length === 0 ? others : { ...others, [first]: without(inner, rest) };
};

const has = (settings: unknown, [first, ...rest]: readonly string[]): boolean =>
  first === undefined || (isTree(settings) && Object.hasOwn(settings, first) && has(settings[first], rest));

/** The settings without those that were removed, and a sentence about each of these. */
export const leaveOutRemoved = (settings: unknown): { settings: unknown; ignored: string[] } => {
  const found = Object.entries(removed).filter(([name]) => has(settings, name.split('.')));
  return {
    settings: found.reduce((left, [name]) => without(left, name.split('.')), settings),
    ignored: found.map(
      ([name, instead]) => `The setting ${name} has no effect any more: ${instead}. Remove it.`,
    ),
  };
};
