import { type CSSProperties, type PointerEvent, type ReactNode, useId } from 'react';
import css from './chart.module.css';

export interface BandPoint {
  /** Milliseconds since 1970; the middle of the period it covers. */
  at: number;
  min: number;
  mean: number;
  max: number;
}

interface BandChartProps {
  /** What is shown and how it developed, for screen readers. */
  label: string;
  /** Consecutive points; between two runs nothing is known. */
  runs: readonly (readonly BandPoint[])[];
  from: number;
  to: number;
  /** The lowest and the highest value of the scale. */
  bottom: number;
  top: number;
  /** Shown beside the chart, from the top down; absent: a chart the size of a word. */
  marks?: readonly { value: number; text: string }[];
  ticks?: readonly { at: number; text: ReactNode }[];
  /** A time that the chart is about. */
  moment?: { at: number; text: string } | undefined;
  /** A value beyond which something happens. */
  limit?: { value: number; side: 'above' | 'below'; text: string } | undefined;
  /** The point whose values are shown. */
  chosen?: BandPoint | undefined;
  /** Called with the time under the pointer. */
  onPoint?: (at: number | undefined) => void;
}

const width = 600;
const height = 160;

/** A mean over time as a line, within a band from minimum to maximum, with gaps where there is no record. */
export function BandChart(props: BandChartProps) {
  const { label, runs, from, to, bottom, top, marks, ticks, moment: about, limit, chosen, onPoint } = props;
  const clip = useId();
  const x = (at: number) => ((at - from) / (to - from)) * width;
  const y = (value: number) => height - ((value - bottom) / (top - bottom)) * height;
  /** In characters: the room that the screen leaves for them. */
  const levelLength = Math.max(0, ...(marks ?? []).map(({ text }) => text.length));
  const moment = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width: wide } = currentTarget.getBoundingClientRect();
    return from + ((clientX - left) / wide) * (to - from);
  };
  return (
    <figure className={css.figure} style={{ '--level-length': levelLength } as CSSProperties}>
      <div className={marks ? css.plot : undefined} data-band={marks ? '' : undefined}>
        <svg
          className={marks ? undefined : css.wordSize}
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={label}
          onPointerMove={onPoint && (event => onPoint(moment(event)))}
          onPointerLeave={onPoint && (() => onPoint(undefined))}
        >
          <clipPath id={clip}>
            <rect width={width} height={height} />
          </clipPath>
          {marks?.map(({ value }) => (
            <line key={value} className={css.grid} x1="0" x2={width} y1={y(value)} y2={y(value)} />
          ))}
          <g clipPath={`url(#${clip})`}>
            {limit && <Beyond limit={limit} y={y} />}
            {runs.map(run => (
              <Run key={run[0]?.at} run={run} x={x} y={y} />
            ))}
          </g>
          {about && <line className={css.moment} x1={x(about.at)} x2={x(about.at)} y1="0" y2={height} />}
          {chosen && <line className={css.cursor} x1={x(chosen.at)} x2={x(chosen.at)} y1="0" y2={height} />}
        </svg>
        <Notes moment={about} limit={limit} x={x} y={y} />
        {marks && (
          <span className={css.levels} aria-hidden="true">
            {marks.map(({ value, text }) => (
              <span key={value} style={{ top: `${(y(value) / height) * 100}%` }}>
                {text}
              </span>
            ))}
          </span>
        )}
      </div>
      {ticks && <Ticks ticks={ticks} x={x} />}
    </figure>
  );
}

function Ticks({ ticks, x }: { ticks: NonNullable<BandChartProps['ticks']>; x: (at: number) => number }) {
  return (
    <figcaption className={css.axis} aria-hidden="true">
      {ticks.map(({ at, text }) => (
        <span key={at} style={{ insetInlineStart: `${(x(at) / width) * 100}%` }}>
          {text}
        </span>
      ))}
    </figcaption>
  );
}

interface NotesProps extends Pick<BandChartProps, 'moment' | 'limit'> {
  x: (at: number) => number;
  y: (value: number) => number;
}

/** The words at the time and at the limit that the chart is about. */
function Notes({ moment, limit, x, y }: NotesProps) {
  return (
    <>
      {moment && (
        <span className={css.momentText} style={{ insetInlineStart: `${(x(moment.at) / width) * 100}%` }}>
          {moment.text}
        </span>
      )}
      {limit && (
        <span className={css.limitText} style={{ top: `${(y(limit.value) / height) * 100}%` }}>
          {limit.text}
        </span>
      )}
    </>
  );
}

/** The side of a limit on which something happens. */
function Beyond({ limit, y }: { limit: NonNullable<BandChartProps['limit']>; y: (value: number) => number }) {
  const at = y(limit.value);
  return (
    <>
      <rect
        className={css.beyond}
        width={width}
        y={limit.side === 'above' ? 0 : at}
        height={Math.max(0, limit.side === 'above' ? at : height - at)}
      />
      <line className={css.limit} x1="0" x2={width} y1={at} y2={at} />
    </>
  );
}

interface RunProps {
  run: readonly BandPoint[];
  x: (at: number) => number;
  y: (value: number) => number;
}

function Run({ run, x, y }: RunProps) {
  const place = (at: number, value: number) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`;
  const [only] = run;
  if (!only) return null;
  // A single point becomes a dot, because line ends are round.
  if (run.length === 1)
    return (
      <>
        <path
          className={css.band}
          data-single=""
          d={`M${place(only.at, only.min)} L${place(only.at, only.max)}`}
        />
        <path className={css.dot} d={`M${place(only.at, only.mean)} h0.01`} />
      </>
    );
  const upper = run.map(({ at, max }) => place(at, max));
  const lower = run.map(({ at, min }) => place(at, min)).toReversed();
  return (
    <>
      <path className={css.band} d={`M${[...upper, ...lower].join(' L')} Z`} />
      <path className={css.line} d={`M${run.map(({ at, mean }) => place(at, mean)).join(' L')}`} />
    </>
  );
}
