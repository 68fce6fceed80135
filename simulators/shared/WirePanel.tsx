import { type ReactNode, useState } from 'react';
import { useStore } from '#console/core/store.ts';
import { Button } from '#console/ui/Button.tsx';
import { copy } from '#console/ui/CopyText.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { Checkbox } from '#console/ui/form/Checkbox.tsx';
import field from '#console/ui/form/Field.module.css';
import lineCss from '#console/ui/logs/Lines.module.css';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { millisecondText } from '#console/ui/time/dateTexts.ts';
import css from './wire.module.css';
import { type WireLine, type WireLines, wireText } from './wireLines.ts';

interface WirePanelProps<Line extends WireLine> {
  wire: WireLines<Line>;
  /** What the lines are: packets, messages. */
  noun: string;
  placeholder: string;
  /** Lines that are hidden by default. */
  quiet: { label: string; is: (line: Line) => boolean };
  line: (line: Line) => ReactNode;
  /** Shown below the list. */
  children?: ReactNode;
}

/** All traffic, newest first. */
export function WirePanel<Line extends WireLine>(props: WirePanelProps<Line>) {
  const { wire, noun, placeholder, quiet, line, children } = props;
  const latest = useStore(wire.shown);
  const [paused, setPaused] = useState<readonly Line[]>();
  const [typed, setTyped] = useState('');
  const [showsQuiet, setShowsQuiet] = useState(false);
  const lines = paused ?? latest;
  const search = typed.trim().toLowerCase();
  const shown = lines.filter(one => (showsQuiet || !quiet.is(one)) && isFound(one, search)).toReversed();
  return (
    <Panel
      title="Traffic"
      note={`${shown.length} of ${lines.length}`}
      flush
      action={
        <>
          <Button variant="quiet" onClick={() => setPaused(paused ? undefined : latest)}>
            {paused ? 'Resume' : 'Pause'}
          </Button>
          <Button
            variant="quiet"
            onClick={() => void copy(shown.toReversed().map(wireText).join('\n')).then(() => toast('Copied'))}
          >
            Copy
          </Button>
          <Button variant="quiet" onClick={() => wire.clear()}>
            Clear
          </Button>
        </>
      }
    >
      <div className={css.wireFilter}>
        <input
          type="search"
          className={`${field.control} ${field.mono} ${css.search}`}
          aria-label={`Filter ${noun}`}
          placeholder={placeholder}
          value={typed}
          onChange={event => setTyped(event.target.value)}
        />
        <Checkbox label={quiet.label} checked={showsQuiet} onChange={setShowsQuiet} />
      </div>
      <ol className={`${lineCss.mono} ${css.packets}`} aria-label={`${capital(noun)}, newest first`}>
        {shown.map(one => (
          <li key={one.key}>{line(one)}</li>
        ))}
      </ol>
      {shown.length === 0 && (
        <p className={css.nothing}>{lines.length === 0 ? `No ${noun} yet.` : `No matching ${noun}.`}</p>
      )}
      {children}
    </Panel>
  );
}

function isFound({ kind, about, payload }: WireLine, search: string): boolean {
  return search === '' || `${kind} ${about} ${payload}`.toLowerCase().includes(search);
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

interface WireWordsProps {
  line: WireLine;
  /** The directions as words, for screen readers. */
  ways: Record<WireLine['way'], string>;
  children: ReactNode;
}

/** The time, the direction, and as much of the content as fits on one line. */
export function WireWords({ line: { at, way }, ways, children }: WireWordsProps) {
  return (
    <>
      <time dateTime={at.toISOString()}>{millisecondText(at)}</time>
      <span className={css.way} title={ways[way]}>
        {way === 'up' ? '↑' : '↓'}
        <span className="visuallyHidden">{way}</span>
      </span>
      <span className={css.cut}>{children}</span>
    </>
  );
}
