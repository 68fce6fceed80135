import { memo, useState } from 'react';
import { Button } from '#console/ui/Button.tsx';
import { copy } from '#console/ui/CopyText.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { WirePanel, WireWords } from '../../shared/WirePanel.tsx';
import wireCss from '../../shared/wire.module.css';
import { laidOut } from '../../shared/wireLines.ts';
import type { AppSimulation } from '../simulation.ts';
import type { AppLine } from './appWire.ts';
import { curlOf, typescriptOf } from './callSnippets.ts';
import css from './traffic.module.css';

const ways = { up: 'from the app', down: 'to the app' };

/** Every request, answer and stream message. A press on a line shows its full content below. */
export function TrafficPanel({ simulation }: { simulation: AppSimulation }) {
  const [chosen, setChosen] = useState<AppLine>();
  return (
    <WirePanel
      wire={simulation.wire}
      noun="messages"
      placeholder="Path, event or payload"
      quiet={{ label: 'Heartbeats', is: ({ isBeat }) => isBeat }}
      line={line => (
        <Line
          line={line}
          isChosen={line.key === chosen?.key}
          onPress={() => setChosen(line.key === chosen?.key ? undefined : line)}
        />
      )}
    >
      {chosen && <Whole simulation={simulation} line={chosen} />}
    </WirePanel>
  );
}

interface LineProps {
  line: AppLine;
  isChosen: boolean;
  onPress: () => void;
}

const Line = memo(
  function Line({ line, isChosen, onPress }: LineProps) {
    const { kind, about, payload, status, ms, way } = line;
    return (
      <button
        type="button"
        className={`${wireCss.packet} ${css.line}`}
        data-way={way}
        aria-pressed={isChosen}
        onClick={onPress}
      >
        <WireWords line={line} ways={ways}>
          <b>{kind}</b> {way === 'up' || !payload ? about : payload}
        </WireWords>
        <span className={css.figures}>
          {status !== undefined && <span data-bad={status >= 400 || undefined}>{status}</span>}
          {ms !== undefined && <span>{ms} ms</span>}
        </span>
      </button>
    );
  },
  (a, b) => a.line === b.line && a.isChosen === b.isChosen,
);

function Whole({ simulation, line }: { simulation: AppSimulation; line: AppLine }) {
  const { asked, kind, about, payload } = line;
  const { projectId, appId } = simulation.address;
  const name = `${appId}@${projectId}`;
  const take = (text: string) => void copy(text).then(() => toast('Copied'));
  return (
    <section className={css.whole} aria-label="Chosen message">
      <div className={css.wholeHead}>
        <p>
          <b>{asked?.method ?? kind}</b> {asked ? `/app/v1/${name}${asked.path}` : about}
        </p>
        {asked && (
          <span>
            <Button onClick={() => take(curlOf(asked, { origin: window.location.origin, name }))}>
              Copy as curl
            </Button>
            <Button onClick={() => take(typescriptOf(asked))}>Copy as TypeScript</Button>
          </span>
        )}
      </div>
      {payload && <pre>{laidOut(payload)}</pre>}
    </section>
  );
}
