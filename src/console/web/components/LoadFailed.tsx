import { Button } from '@mantine/core';
import { RequestFailed } from '../data/request.ts';
import css from './Blank.module.css';
import { Icon } from './Icon.tsx';

const titleOf = (error: unknown): string => {
  if (!(error instanceof RequestFailed)) return 'This part of the page failed';
  if (error.status === 0) return 'The console cannot be reached';
  if (error.status === 404) return 'Not here';
  if (error.status === 403) return 'You may not see this';
  return 'This could not be loaded';
};

/** In place of content that could not be read: what happened, and what to do. */
export const LoadFailed = ({ error, onRetry }: { error: unknown; onRetry?: () => unknown }) => {
  const isFinal = error instanceof RequestFailed && [403, 404, 422].includes(error.status);
  return (
    <div role="alert" className={css.blank}>
      <span className={`${css.mark} ${isFinal ? 'tone-ended' : 'tone-failed'}`}>
        <Icon name={isFinal ? 'search' : 'alert'} size={20} />
      </span>
      <h2>{titleOf(error)}</h2>
      <p className="dim">{error instanceof Error ? error.message : String(error)}</p>
      {isFinal || !onRetry ? null : (
        <Button variant="default" leftSection={<Icon name="retry" />} onClick={() => onRetry()}>
          Try again
        </Button>
      )}
    </div>
  );
};
