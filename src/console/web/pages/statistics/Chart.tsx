import { useId } from 'react';
import type { StatisticsAnswer } from '../../../api/schemas/statistics.ts';
import { roundUp } from '../../data/round-up.ts';
import css from './Chart.module.css';
import { type Measure, periodName, shortName } from './measures.ts';

const width = 360;
const height = 96;
/** Above the bars: the value of the highest one. */
const head = 16;
const foot = 18;

interface ChartProps {
  measure: Measure;
  answer: StatisticsAnswer;
}

/** Bars of one measure, in one colour. A period that is not over is hatched, and one of which nothing can be said yet is a dot. */
export const Chart = ({ measure, answer: { periods, by, total } }: ChartProps) => {
  const hatch = useId();
  const values = periods.map(measure.value);
  const highest = Math.max(0, ...values.map((value) => value ?? 0));
  const top = measure.top ?? roundUp(highest);
  const step = width / periods.length;
  const bar = Math.max(1, step - Math.min(3, step / 4));
  const at = highest === 0 ? -1 : values.lastIndexOf(highest);
  const peak = periods[at];
  const says = `${measure.title}: ${measure.show(total)} in all${peak ? `; the most, ${measure.show(peak)}, ${periodName(peak, by)}` : ''}`;
  const ticks = periods.length < 3 ? [0] : [0, Math.floor(periods.length / 2), periods.length - 1];
  const anchor = (index: number) => (index === 0 ? 'start' : index === periods.length - 1 ? 'end' : 'middle');
  return (
    <svg className={css.chart} viewBox={`0 0 ${width} ${head + height + foot}`} role="img" aria-label={says}>
      <defs>
        <pattern id={hatch} width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect className={css.ground} width="4" height="4" />
          <rect className={css.bar} width="1.6" height="4" />
        </pattern>
      </defs>
      <line className={css.grid} x1="0" x2={width} y1={head} y2={head} />
      <line className={css.grid} x1="0" x2={width} y1={head + height / 2} y2={head + height / 2} />
      <line className={css.axis} x1="0" x2={width} y1={head + height + 0.5} y2={head + height + 0.5} />
      {periods.map((period, index) => {
        const value = values[index]!;
        const tall = value === null || value === 0 ? 0 : Math.max(2, (value / top) * height);
        const x = index * step + (step - bar) / 2;
        return (
          <g key={period.from}>
            <title>{`${periodName(period, by)}: ${value === null ? 'nothing can be said yet' : measure.show(period)}`}</title>
            <rect className={css.hit} x={index * step} y={head} width={step} height={height} />
            {value === null ? (
              <circle className={css.dot} cx={x + bar / 2} cy={head + height - 2} r="1" />
            ) : (
              <rect
                className={period.isRunning ? css.running : css.bar}
                fill={period.isRunning ? `url(#${hatch})` : undefined}
                x={x}
                y={head + height - tall}
                width={bar}
                height={tall}
              />
            )}
          </g>
        );
      })}
      {peak ? (
        <text
          className={css.peak}
          x={Math.min(width - 1, Math.max(1, (at + 0.5) * step))}
          y={head + height - (highest / top) * height - 3}
          textAnchor={at < periods.length / 4 ? 'start' : at > (periods.length * 3) / 4 ? 'end' : 'middle'}
        >
          {measure.show(peak)}
        </text>
      ) : null}
      {/* The scale, at the end that the highest bar leaves free. */}
      <text
        className={css.label}
        x={at < periods.length / 2 ? width : 0}
        y={head - 4}
        textAnchor={at < periods.length / 2 ? 'end' : 'start'}
      >
        {measure.showTop(top)}
      </text>
      {ticks.map((index) => (
        <text
          key={index}
          className={css.label}
          x={index === 0 ? 0 : index === periods.length - 1 ? width : (index + 0.5) * step}
          y={head + height + 13}
          textAnchor={anchor(index)}
        >
          {shortName(periods[index]!, by)}
        </text>
      ))}
    </svg>
  );
};
