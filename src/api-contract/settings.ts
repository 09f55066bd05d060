import { z } from 'zod';
import { orNull } from './basics.ts';

/** One setting of the effective configuration. */
export const setting = z.object({
  name: z.string().describe('Its whole name: accounts.north.fileSettle.'),
  value: orNull(z.string(), 'As people write it; null: a secret, which is never shown.'),
});
export const settings = z.object({
  version: z.string(),
  file: orNull(z.string(), 'The configuration file; null: there is none.'),
  dataFolder: z.string(),
  items: z.array(setting),
});

export type Setting = z.infer<typeof setting>;
export type Settings = z.infer<typeof settings>;
