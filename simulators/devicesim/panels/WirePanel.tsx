import { memo, useState } from 'react';
import { useStore } from '#console/store.ts';
import { Button } from '#console/ui/Button.tsx';
import { copy } from '#console/ui/CopyText.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { Checkbox } from '#console/ui/form/Checkbox.tsx';
import lineCss from '#console/ui/logs/Lines.module.css';
import { Panel } from '#console/ui/screen/Panel.tsx';
import css from '../devicesim.module.css';
import type { Simulation } from '../simulation.ts';
import { type WireLine, wireText } from '../wireLog.ts';
import { clockTime } from './clockTime.ts';
import wireCss from './wire.module.css';

/** Every packet that goes by, newest first. */
export function WirePanel({ simulation: { wire } }: { simulation: Simulation }) {
  const latest = useStore(wire.lines);
  const [paused, setPaused] = useState<readonly WireLine[]>();
  const [search, setSearch] = useState('');
  const [signs, setSigns] = useState(false);
  const lines = paused ?? latest;
  const shown = lines.filter(line => isShown(line, search.trim().toLowerCase(), signs)).toReversed();
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
      <div className={wireCss.wireFilter}>
        <input
          type="search"
          className={css.typed}
          aria-label="Filter packets"
          placeholder="Topic or payload"
          value={search}
          onChange={event => setSearch(event.target.value)}
        />
        <Checkbox label="Acknowledgements and pings" checked={signs} onChange={setSigns} />
      </div>
      <ol className={`${lineCss.mono} ${wireCss.packets}`} aria-label="Packets, newest first">
        {shown.map(line => (
          <PacketLine key={line.key} line={line} />
        ))}
      </ol>
      {shown.length === 0 && (
        <p className={wireCss.nothing}>{lines.length === 0 ? 'No packets yet.' : 'No matching packets.'}</p>
      )}
    </Panel>
  );
}

const quiet = new Set(['PUBACK', 'PINGREQ', 'PINGRESP']);

function isShown({ kind, about, payload }: WireLine, search: string, signs: boolean): boolean {
  if (!signs && quiet.has(kind)) return false;
  return search === '' || `${kind} ${about} ${payload}`.toLowerCase().includes(search);
}

const PacketLine = memo(function PacketLine({ line }: { line: WireLine }) {
  const { at, way, kind, about, payload, bytes } = line;
  const [open, setOpen] = useState(false);
  return (
    <li>
      <details className={lineCss.fold} onToggle={event => setOpen(event.currentTarget.open)}>
        <summary className={wireCss.packet} data-way={way}>
          <time dateTime={at.toISOString()}>{clockTime(at)}</time>
          <span className={wireCss.way} title={way === 'up' ? 'from the device' : 'to the device'}>
            {way === 'up' ? '↑' : '↓'}
            <span className="visuallyHidden">{way === 'up' ? 'up' : 'down'}</span>
          </span>
          <span className={css.cut}>
            <b>{kind === 'PUBLISH' ? about : kind}</b> {kind === 'PUBLISH' ? payload : about}
          </span>
        </summary>
        {open && (
          <div className={wireCss.whole}>
            <p>
              {kind} {about}, {bytes} bytes
            </p>
            {payload && <pre>{laidOut(payload)}</pre>}
          </div>
        )}
      </details>
    </li>
  );
});

function laidOut(payload: string): string {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2);
  } catch {
    return payload;
  }
}
