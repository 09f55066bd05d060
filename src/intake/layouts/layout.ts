import type { FileMapping } from '../file-mapping.ts';
import type { KnownValues } from './answers.ts';

/** Where layouts come from that no person agreed to: they count after the settings of the account. */
export const madeByProgram = ['configuration', 'earlier import', 'standard names'] as const;

/** How the files of an account with one header are read, as somebody agreed. */
export interface Layout {
  id: string;
  /** @see layoutKey */
  headerKey: string;
  name: string;
  version: number;
  /** `no_order`: its files are refused. */
  kind: 'order' | 'no_order';
  /** The names of the header as the file had them; empty for files without a header. */
  header: string[];
  settings: FileMapping;
  /** The telling columns with the values that are known; undefined: its next file shows them. */
  known?: KnownValues;
  who: string;
  via: 'console' | 'api' | 'command line' | (typeof madeByProgram)[number];
  confirmedAt: Date;
}

/** The layout by which a file was read, as its import records it. */
export type LayoutOfFile = Pick<Layout, 'id' | 'name' | 'version'>;
