import { Panel } from '#console/ui/screen/Panel.tsx';
import css from './firstDevice.module.css';

const parts = [
  [
    'Is the fleet well?',
    'How many are connected, now and over the last 24 hours.',
    'M8 14h46M8 26h84M8 50l20-5 18 4 14-7 10 12 8-9 14 3',
  ],
  [
    'What needs a hand?',
    'Lost connections, alerts, waiting rollouts; the most urgent first.',
    'M10 16h62M84 16h8M10 34h50M84 34h8M10 52h56M84 52h8',
  ],
  [
    'What did it say?',
    'Every value with its unit, live, and its history.',
    'M8 16h30M74 16h18M8 34h42M78 34h14M8 52h24M70 52h22',
  ],
  [
    'What runs on it?',
    'Versions, and rollouts that pause by themselves when devices fail.',
    'M8 16h14M30 16h22M60 16h32M8 34h10M30 34h16M60 34h26M8 50h8M30 50h12M60 50h18',
  ],
] as const;

/** What the overview will answer, as outlines: a page of zeros would teach nothing. */
export function Outlines() {
  return (
    <Panel
      title="What appears here"
      note="with the first message"
      flush
      action={
        <span className={css.listening} role="status">
          <span className={css.ring} aria-hidden="true" />
          Listening for the first message
        </span>
      }
    >
      <ul className={css.outlines}>
        {parts.map(([title, says, path]) => (
          <li key={title}>
            <svg viewBox="0 0 100 66" preserveAspectRatio="none" aria-hidden="true">
              <path d={path} />
            </svg>
            <h3>{title}</h3>
            <p>{says}</p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
