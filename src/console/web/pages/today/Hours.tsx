import type { TodayAnswer } from '../../../../api-contract/today.ts';
import bars from '../../components/bars.module.css';
import { Panel } from '../../components/page-parts.tsx';
import { formatClock, formatCount } from '../../data/format.ts';
import { roundUp } from '../../data/round-up.ts';
import css from './Hours.module.css';

type Hour = TodayAnswer['hours'][number];

const kinds = [
  { key: 'ordered', tone: 'ordered', word: 'ordered' },
  { key: 'held', tone: 'held', word: 'held' },
  { key: 'failed', tone: 'failed', word: 'failed or rejected' },
] as const;

const height = 88;
const width = 10;
const gap = 3;

const describe = (hour: Hour, zone: string | undefined): string =>
  `${formatClock(hour.hour, zone).slice(0, 5)}: ${kinds.map(({ key, word }) => `${formatCount(hour[key])} ${word}`).join(', ')}`;

interface HoursProps {
  hours: TodayAnswer['hours'];
  /** The time zone of the hours. */
  column: { zone: string | undefined; name: string };
}

/** POs of the last 24 hours by hour, as stacked bars with a legend that has the sums. */
export const Hours = ({ hours, column }: HoursProps) => {
  const sums = kinds.map((kind) => ({ ...kind, sum: hours.reduce((all, hour) => all + hour[kind.key], 0) }));
  const top = roundUp(Math.max(1, ...hours.map((hour) => hour.ordered + hour.held + hour.failed)));
  const ofHeight = (count: number) => (count === 0 ? 0 : Math.max(2, (count / top) * height));
  const labels = [0, 6, 12, 18].filter((index) => index < hours.length);
  return (
    <Panel title="Last 24 hours" note={`${column.name} · up to ${formatCount(top)} an hour`}>
      <svg
        className={`${bars.chart} ${css.chart}`}
        viewBox={`0 0 ${hours.length * (width + gap)} ${height + 16}`}
        role="img"
        aria-label={`Last 24 hours: ${sums.map(({ sum, word }) => `${formatCount(sum)} ${word}`).join(', ')}`}
      >
        <line
          className={bars.axis}
          x1="0"
          x2={hours.length * (width + gap)}
          y1={height + 0.5}
          y2={height + 0.5}
        />
        {hours.map((hour, index) => {
          let y = height;
          return (
            <g key={hour.hour}>
              <title>{describe(hour, column.zone)}</title>
              <rect
                className={bars.hit}
                x={index * (width + gap)}
                y="0"
                width={width + gap}
                height={height}
              />
              {kinds.map(({ key, tone }) => {
                const tall = ofHeight(hour[key]);
                y -= tall;
                return (
                  <rect
                    key={key}
                    className={`${bars.bar} tone-${tone}`}
                    x={index * (width + gap) + gap / 2}
                    y={y}
                    width={width}
                    height={tall}
                  />
                );
              })}
            </g>
          );
        })}
        {labels.map((index) => (
          <text
            key={index}
            className={`${bars.label} ${css.label}`}
            x={index * (width + gap) + gap / 2}
            y={height + 13}
          >
            {formatClock(hours[index]!.hour, column.zone).slice(0, 5)}
          </text>
        ))}
      </svg>
      <ul className="row small">
        {sums.map(({ key, tone, word, sum }) => (
          <li key={key} className={`tone-${tone}`}>
            <span className={css.dot} />
            {formatCount(sum)} {word}
          </li>
        ))}
      </ul>
    </Panel>
  );
};
