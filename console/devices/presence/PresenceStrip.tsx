import { type KeyboardEvent, useRef } from 'react';
import { shortReason } from '#console/devices/deviceWords.ts';
import { durationText } from '#console/ui/time/TimeAgo.tsx';
import css from './presence.module.css';
import { awayText, isAway, type Stretch } from './presenceStretches.ts';
import { spanText, tickText } from './presenceTimes.ts';

interface PresenceStripProps {
  stretches: readonly Stretch[];
  drops: readonly Stretch[];
  from: number;
  spanMs: number;
  summary: string;
  /** The drop that is open. */
  chosen: Stretch | undefined;
  /** The label of the end, unless it is now. */
  end?: string;
  onChoose: (drop: Stretch | undefined) => void;
}

const width = 1000;
const height = 24;
/** Even the shortest drop stays visible. */
const widthMin = 3;

/** When the device was connected, as a strip; each drop is a button, and the arrow keys move between drops. */
export function PresenceStrip(props: PresenceStripProps) {
  const { stretches, from, spanMs, summary, end = 'now' } = props;
  return (
    <figure className={css.figure}>
      <div className={css.strip}>
        <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={summary}>
          <Hatching />
          {stretches.map(one => (
            <Part key={one.from} of={one} from={from} spanMs={spanMs} />
          ))}
        </svg>
        <Marks {...props} />
      </div>
      <figcaption className={css.axis} aria-hidden="true">
        {[0, 1 / 6, 2 / 6, 3 / 6, 4 / 6, 5 / 6].map(part => (
          <span key={part}>{tickText(from + part * spanMs, spanMs)}</span>
        ))}
        <span>{end}</span>
      </figcaption>
    </figure>
  );
}

function Hatching() {
  return (
    <defs>
      <pattern id="presenceHatch" width="5" height="5" patternUnits="userSpaceOnUse">
        <path className={css.hatch} d="M-1 6L6 -1M4 6L6 4M-1 1L1 -1" />
      </pattern>
    </defs>
  );
}

function Part({ of, from, spanMs }: { of: Stretch; from: number; spanMs: number }) {
  const wide = Math.max(isAway(of) ? widthMin : 0, ((of.to - of.from) / spanMs) * width);
  return (
    <rect
      className={css.part}
      data-kind={of.kind}
      x={Math.min(((of.from - from) / spanMs) * width, width - wide)}
      width={wide}
      height={height}
    >
      <title>{`${wordsOf(of)}: ${spanText(of)} (${durationText(of.to - of.from)})`}</title>
    </rect>
  );
}

function Marks({ drops, from, spanMs, chosen, onChoose }: PresenceStripProps) {
  const marks = useRef<HTMLDivElement>(null);
  const at = chosen ? drops.indexOf(chosen) : -1;
  // All drops share one Tab stop: the chosen one, else the latest.
  const reached = at >= 0 ? at : drops.length - 1;
  function move(event: KeyboardEvent) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === 'Escape' && chosen) onChoose(undefined);
    const next = step === undefined ? undefined : drops[reached + step];
    if (!next) return;
    event.preventDefault();
    onChoose(next);
    marks.current?.querySelectorAll('button')[drops.indexOf(next)]?.focus();
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be announced at every change
    <div ref={marks} role="group" aria-label="Drops" onKeyDown={move}>
      {drops.map((drop, index) => (
        <button
          key={drop.from}
          type="button"
          className={css.mark}
          style={markPlace(drop, from, spanMs)}
          tabIndex={index === reached ? 0 : -1}
          aria-pressed={drop === chosen}
          aria-label={`${spanText(drop)}, disconnected for ${awayText(drop.to - drop.from)}`}
          title={`${spanText(drop)}, ${wordsOf(drop).toLowerCase()}`}
          onClick={() => onChoose(drop === chosen ? undefined : drop)}
        />
      ))}
    </div>
  );
}

function markPlace({ from: begins, to }: Stretch, from: number, spanMs: number) {
  return { left: `${((begins - from) / spanMs) * 100}%`, width: `${((to - begins) / spanMs) * 100}%` };
}

function wordsOf({ kind, reason }: Stretch): string {
  if (kind === 'connected') return 'Connected';
  if (kind === 'unrecorded') return 'No record';
  return `Disconnected${reason ? `, ${shortReason(reason)}` : ''}`;
}
