import type { KnownValue } from './answers.ts';
import type { ValueKey } from './telling-values.ts';

/** A person's answer about a value in files with another header, and the name of that layout. */
export interface AnsweredElsewhere {
  answer: Exclude<KnownValue, 'seen' | 'order'>;
  layout: string;
}

export interface SeenValue {
  key: ValueKey;
  /** As written in its first row. */
  text: string;
  rows: number;
  /** A person who orders these rows should know it. */
  saysNotToOrder?: boolean;
  /** The proposed answer. */
  elsewhere?: AnsweredElsewhere;
}

/** An ignored column with its values. */
export interface SeenColumn {
  /** @see headerKey */
  column: string;
  header: string;
  values: SeenValue[];
  /** It may describe the items, but no person has confirmed it. */
  mayDescribe?: boolean;
}
