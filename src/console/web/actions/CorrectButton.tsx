import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** Rows that a person can correct: those of an import, or of some of its POs. */
export interface ToCorrect {
  importId: string;
  /** Undefined: all that were rejected or failed. */
  purchaseOrders?: readonly string[];
}

interface CorrectButtonProps extends ToCorrect {
  size?: 'xs' | 'sm';
  /** False: something else is advised first. */
  isMain?: boolean;
  children?: ReactNode;
}

/** Opens the rows of POs that were not ordered, to correct them. */
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
