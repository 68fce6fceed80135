import { type FormEvent, useState } from 'react';
import { useStore } from '#console/core/store.ts';
import { Button } from '#console/ui/Button.tsx';
import { Checkbox } from '#console/ui/form/Checkbox.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { Segments } from '#console/ui/screen/Segments.tsx';
import { StatePill } from '#console/ui/state/StatePill.tsx';
import { millisecondText } from '#console/ui/time/dateTexts.ts';
import { type LogLevel, logLevels } from '#sdk/logLevels.ts';
import css from '../devicesim.module.css';
import type { Simulation } from '../simulation.ts';

const drawnMax = 200;

/** The device's own log. It is sent live while somebody watches. */
export function LogPanel({ simulation: { log } }: { simulation: Simulation }) {
  const lines = useStore(log.lines);
  const isWatched = useStore(log.isWatched);
  return (
    <Panel
      title="Log"
      note={lines.length === 1 ? '1 line' : `${lines.length} lines`}
      action={
        <div className={css.inHead}>
          <StatePill
            tone={isWatched ? 'ok' : 'off'}
            word={isWatched ? 'Someone is watching' : 'No one is watching'}
            shape="plain"
          />
        </div>
      }
    >
      <div className={css.stack}>
        <LineForm onWrite={(level, text) => log.write(level, text)} />
        <Checkbox
          label="Write a line every second"
          checked={useStore(log.chatters)}
          onChange={on => log.chatters.set(on)}
        />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs keyboard focus */}
        <ol className={css.log} aria-label="Log lines, newest first" tabIndex={0}>
          {lines
            .slice(-drawnMax)
            .toReversed()
            .map(({ key, ts, level, text }) => (
              <li key={key} data-level={level}>
                <time dateTime={ts.toISOString()}>{millisecondText(ts)}</time>
                <span>{level.toUpperCase()}</span>
                <span>{text}</span>
              </li>
            ))}
        </ol>
      </div>
    </Panel>
  );
}

function LineForm({ onWrite }: { onWrite: (level: LogLevel, text: string) => void }) {
  const [level, setLevel] = useState<LogLevel>('info');
  const [text, setText] = useState('wifi: connected');

  function submit(event: FormEvent) {
    event.preventDefault();
    if (text.trim() !== '') onWrite(level, text);
  }
  return (
    <form className={css.line} data-low onSubmit={submit}>
      <Segments
        label="Level"
        options={logLevels.map(value => ({ value, label: value }))}
        chosen={level}
        onChange={setLevel}
      />
      <div className={css.grow}>
        <TextField label="Line" value={text} onChange={setText} mono maxLength={4000} />
      </div>
      <Button type="submit">Write line</Button>
    </form>
  );
}
