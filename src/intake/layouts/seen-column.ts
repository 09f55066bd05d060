import type { KnownValue } from './answers.ts';
import type { ValueKey } from './telling-values.ts';

/** What a person answered about a value in the files of another header, and the name of that layout. */
export interface AnsweredElsewhere {
  answer: Exclude<KnownValue, 'seen' | 'order'>;
  layout: string;
}

export interface SeenValue {
  key: ValueKey;
  /** As the first of its rows has it. */
  text: string;
  rows: number;
  /** A person who orders these rows should know it. */
  saysNotToOrder?: boolean;
  /** What is proposed for it. */
  elsewhere?: AnsweredElsewhere;
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
