import { Link } from '@tanstack/react-router';
import type { BulkRunsAnswer } from '../../../api-contract/bulk.ts';
import { Icon } from '../components/Icon.tsx';
import { formatCount } from '../data/format.ts';
import { useRead } from '../data/request.ts';
import css from './LiveBanner.module.css';

/** The running bulk runs, shown on every page. */
export const RunningActions = () => {
  const { data } = useRead<BulkRunsAnswer>(['bulk', 'running'], '/bulk', {
    query: { running: true, limit: 5 },
    refetchInterval: ({ state }) => (state.data?.items.length ? 2000 : false),
  });
  if (!data?.items.length) return null;
  return (
    <ul aria-label="Running actions">
      {data.items.map(({ id, sentence, tried, expected }) => (
        <li key={id}>
          <Link to="/bulk/$id" params={{ id }} className={`${css.banner} tone-progress`}>
            <Icon name="clock" />
            <span>
              {sentence} {formatCount(tried)} of {formatCount(expected)}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
};
