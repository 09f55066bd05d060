import { Button } from '@mantine/core';
import { type ClipboardEvent, type KeyboardEvent, memo, useState } from 'react';
import type { CorrectionColumn, MarkedCell } from '../../../../api-contract/corrections.ts';
import { visibleText } from '../../components/text.tsx';
import css from './CorrectionGrid.module.css';
import type { Place } from './grid-rows.ts';
import { parsePasted } from './parse-pasted.ts';

export interface CellActions {
  write: (place: Place, text: string) => void;
  paste: (place: Place, pasted: string[][]) => void;
  accept: (place: Place) => void;
  /** Moves to another cell, by rows down and columns to the right. */
  move: (from: Place, by: Place) => void;
}

interface GridCellProps extends Place {
  column: number;
  about: CorrectionColumn;
  text: string;
  /** Value in the file; undefined: the row is new. */
  before: string | undefined;
  /** Accessible name of the row, before that of the column. */
  rowName: string;
  listId: string | undefined;
  marks: readonly MarkedCell[];
  actions: CellActions;
}

/** The mark's message, plus the expected value if the message lacks it. */
const sayMark = ({ message, expected }: MarkedCell): string =>
  expected === null || message.toLowerCase().includes(expected.toLowerCase())
    ? message
    : `${message} Expected: ${expected}.`;

const isAtEdge = ({ selectionStart, selectionEnd, value }: HTMLInputElement, key: string): boolean =>
  selectionStart === selectionEnd && selectionStart === (key === 'ArrowLeft' ? 0 : value.length);

/** Up, down and Enter; left and right at the ends of the text. Alt with an arrow opens the list of choices. */
const moveOf = ({
  key,
  altKey,
  shiftKey,
  currentTarget,
}: KeyboardEvent<HTMLInputElement>): Place | undefined => {
  if (altKey) return undefined;
  if (key === 'ArrowDown' || (key === 'Enter' && !shiftKey)) return { row: 1, column: 0 };
  if (key === 'ArrowUp' || key === 'Enter') return { row: -1, column: 0 };
  if (key === 'ArrowLeft' || key === 'ArrowRight')
    return isAtEdge(currentTarget, key) ? { row: 0, column: key === 'ArrowLeft' ? -1 : 1 } : undefined;
  return undefined;
};

/** An editable cell with its mistakes. Input is committed on blur. */
export const GridCell = memo(
  ({ row, column, about, text, before, rowName, listId, marks, actions }: GridCellProps) => {
    const [typed, setTyped] = useState<string>();
    const place = { row, column };
    const id = `cell-${row}-${column}`;
    const isChanged = before !== undefined && before !== text;
    const isWrong = marks.some(({ kind }) => kind !== 'note');
    const leave = () => {
      if (typed !== undefined && typed !== text) actions.write(place, typed);
      setTyped(undefined);
    };
    const press = (event: KeyboardEvent<HTMLInputElement>) => {
      if (event.key === 'Escape') setTyped(undefined);
      const by = moveOf(event);
      if (!by) return;
      event.preventDefault();
      // There is no cell to move to below the last row, so commit here.
      leave();
      actions.move(place, by);
    };
    const paste = (event: ClipboardEvent<HTMLInputElement>) => {
      const pasted = event.clipboardData.getData('text/plain');
      if (!/[\t\r\n]/.test(pasted)) return;
      event.preventDefault();
      setTyped(undefined);
      actions.paste(place, parsePasted(pasted));
    };
    return (
      <td className={isWrong ? css.wrong : undefined} data-title={about.label ?? about.header}>
        <input
          id={id}
          className={css.input}
          // Ignored columns have another colour, but are as readable.
          data-unread={about.field === null || undefined}
          // A column is as wide as its longest text, within limits.
          size={Math.min(30, Math.max(8, text.length))}
          value={typed ?? text}
          list={listId}
          autoComplete="off"
          spellCheck={false}
          aria-label={`${visibleText(about.header)}, ${rowName}`}
          aria-invalid={isWrong || undefined}
          aria-describedby={marks.length > 0 || isChanged ? `${id}-why` : undefined}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onBlur={leave}
          onKeyDown={press}
          onPaste={paste}
        />
        {marks.length > 0 || isChanged ? (
          <div id={`${id}-why`} className={css.why}>
            {isChanged ? (
              <p className={css.note}>In the file: {before === '' ? 'empty' : visibleText(before)}</p>
            ) : null}
            {marks.map((mark) => (
              <p key={mark.message} className={mark.kind === 'note' ? css.note : undefined}>
                {visibleText(sayMark(mark))}
              </p>
            ))}
          </div>
        ) : null}
        {marks.some(({ kind }) => kind === 'asks') ? (
          <Button size="compact-xs" variant="default" onClick={() => actions.accept(place)}>
            It is right as it is
          </Button>
        ) : null}
      </td>
    );
  },
);
