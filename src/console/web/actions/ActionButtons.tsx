import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AdvisedPlace, OfferedAction } from '../../../api-contract/basics.ts';
import css from './ActionButtons.module.css';

/** Rows that a person can correct: those of an import, or of some of its POs. */
export interface ToCorrect {
  importId: string;
  /** Undefined: all rejected or failed ones. */
  purchaseOrders?: readonly string[];
}

interface CorrectButtonProps extends ToCorrect {
  size?: 'xs' | 'sm';
  /** False: another action is advised first. */
  isMain?: boolean;
  children?: ReactNode;
}

/** Opens the rows of POs that were not ordered for correction. */
export const CorrectButton = ({
  importId,
  purchaseOrders,
  size = 'sm',
  isMain = true,
  children = 'Correct',
}: CorrectButtonProps) => (
  <Button
    size={size}
    variant={isMain ? 'filled' : 'default'}
    renderRoot={(props) => (
      <Link
        to="/imports/$id/correct"
        params={{ id: importId }}
        search={purchaseOrders ? { po: purchaseOrders.join(',') } : {}}
        {...props}
      />
    )}
  >
    {children} …
  </Button>
);

type Shown = Pick<OfferedAction, 'label' | 'rank' | 'why'> & { action: string };

interface ActionButtonsProps<T extends Shown> {
  offered: readonly T[];
  /** Text on the button; default: the label with an ellipsis, because a dialog opens. */
  wordOf?: (one: T) => string;
  /** Title above actions that will not help. */
  moreWord?: string;
  isLoading?: (one: T) => boolean;
  /** The button to the advised place, if the advice is not one of the actions. */
  place?: ReactNode;
  onPick: (one: T) => void;
  size?: 'xs' | 'sm';
}

const places = {
  upload: { to: '/upload', label: 'Upload a corrected file' },
  questions: { to: '/', label: 'Answer on Today' },
} as const;

interface PlaceButtonProps {
  place: AdvisedPlace;
  /** The rows to correct, if that is the advice. */
  toCorrect?: ToCorrect;
  size?: 'xs' | 'sm';
}

/** The main button, to the advised place. */
export const PlaceButton = ({ place, toCorrect, size = 'sm' }: PlaceButtonProps) =>
  place === 'correct' ? (
    toCorrect && <CorrectButton {...toCorrect} size={size} />
  ) : (
    <Button size={size} variant="filled" renderRoot={(props) => <Link to={places[place].to} {...props} />}>
      {places[place].label}
    </Button>
  );

/** The advised action as the main button, then the others; actions that will not help are under “More”, each with the reason. */
export const ActionButtons = <T extends Shown>({
  offered,
  wordOf = ({ label }) => `${label} …`,
  moreWord = 'More',
  isLoading = () => false,
  place = null,
  onPick,
  size = 'sm',
}: ActionButtonsProps<T>) => {
  const shown = offered.filter(({ rank }) => rank !== 'unlikely');
  const more = offered.filter(({ rank }) => rank === 'unlikely');
  return (
    <div className="stack-tight">
      <div className="row">
        {place}
        {shown.map((one) => (
          <Button
            key={one.action}
            size={size}
            variant={one.rank === 'advised' ? 'filled' : 'default'}
            loading={isLoading(one)}
            onClick={() => onPick(one)}
          >
            {wordOf(one)}
          </Button>
        ))}
      </div>
      {more.length > 0 ? (
        <details className={css.more}>
          <summary>{moreWord}</summary>
          <ul className="stack-tight">
            {more.map((one) => (
              <li key={one.action}>
                <p className="dim small">{one.why}</p>
                <Button size="xs" variant="default" onClick={() => onPick(one)}>
                  {wordOf(one)}
                </Button>
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </div>
  );
};
