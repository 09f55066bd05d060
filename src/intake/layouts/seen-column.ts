import type { ValueKey } from './telling-values.ts';

export interface SeenValue {
  key: ValueKey;
  /** As the first of its rows has it. */
  text: string;
  rows: number;
  /** A person who orders these rows should know it. */
  saysNotToOrder?: boolean;
}

/** A column that is not read, with the values that it has. */
export interface SeenColumn {
  /** @see headerKey */
  column: string;
  header: string;
  values: SeenValue[];
  /** Nobody has said so, and it may describe the items. */
  mayDescribe?: boolean;
}
