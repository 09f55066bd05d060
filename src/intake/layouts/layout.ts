import type { FileMapping } from '../file-mapping.ts';
import type { KnownValues } from './answers.ts';

/** Sources of layouts that no person agreed to; the account's settings take precedence over them. */
export const madeByProgram = ['configuration', 'earlier import', 'standard names'] as const;

/** The agreed way to read an account's files with one header. */
export interface Layout {
  id: string;
  /** @see layoutKey */
  headerKey: string;
  name: string;
  version: number;
  /** `no_order`: its files are refused. */
  kind: 'order' | 'no_order';
  /** The names of the header as in the file; empty for files without a header. */
  header: string[];
  settings: FileMapping;
  /** The known values of its telling columns; undefined: the next file provides them. */
  known?: KnownValues;
  who: string;
  via: 'console' | 'api' | 'command line' | (typeof madeByProgram)[number];
  confirmedAt: Date;
}

/** The layout of a file, as recorded with its import. */
export type LayoutOfFile = Pick<Layout, 'id' | 'name' | 'version'>;
