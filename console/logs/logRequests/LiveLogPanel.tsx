import { useEffect, useRef, useState } from 'react';
import { useRead } from '#console/core/api.ts';
import { liveState, useLive } from '#console/core/live/live.ts';
import { serverDate } from '#console/core/serverClock.ts';
import { useStore } from '#console/core/store.ts';
import { Button } from '#console/ui/Button.tsx';
import { Chips } from '#console/ui/list/Chips.tsx';
import lineCss from '#console/ui/logs/Lines.module.css';
import { levelChips } from '#console/ui/logs/levelChips.ts';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { StatePill } from '#console/ui/state/StatePill.tsx';
import { readDevice } from '#contract/device.ts';
import type { LogLineFrame } from '#contract/deviceProtocol.ts';
import { logLevels } from '#contract/log.ts';
import { LogText } from './FileLines.tsx';
import css from './logRequests.module.css';
import type { FileLine } from './readLogFile.ts';

const linesMax = 1000;

interface Heard extends FileLine {
  number: number;
}

/** What the device logs while someone watches. Nothing of it is stored, in the browser or on the server. */
export function LiveLogPanel({ deviceId }: { deviceId: string }) {
  const { data: device } = useRead(readDevice, { params: { deviceId } });
  const isLive = useStore(liveState) === 'live';
  const [lines, setLines] = useState<readonly Heard[]>([]);
  const [paused, setPaused] = useState(false);
  const [levels, setLevels] = useState<string[]>([]);
  const lineCount = useRef(0);
  useLive(
    'device',
    ({ deviceId: about, what, data }) => {
      if (about !== deviceId || what !== 'log') return;
      const { ts = serverDate().toISOString(), level, text } = data as LogLineFrame;
      lineCount.current += 1;
      const line = { number: lineCount.current, ts, level, text };
      setLines(now => [...now.slice(1 - linesMax), line]);
    },
    !paused,
  );
  const shown =
    levels.length === 0 ? lines : lines.filter(({ level }) => levels.includes(logLevels[level] ?? ''));
  const isConnected = device?.connectionStatus === 'connected';
  const isOn = isConnected && isLive && !paused;
  return (
    <Panel
      title="Live log"
      flush
      note={
        <StatePill
          shape="plain"
          tone={isOn ? 'ok' : 'off'}
          word={paused ? 'paused' : isOn ? 'listening' : isConnected ? 'not live' : 'the device is offline'}
        />
      }
      action={
        <>
          <Button variant="quiet" disabled={lines.length === 0} onClick={() => setLines([])}>
            Clear
          </Button>
          <Button variant="quiet" aria-pressed={paused} onClick={() => setPaused(!paused)}>
            {paused ? 'Resume' : 'Pause'}
          </Button>
        </>
      }
    >
      {lines.length > 0 && (
        <div className={css.levels}>
          <Chips label="Levels" chips={levelChips} chosen={levels} onChange={setLevels} />
        </div>
      )}
      {shown.length === 0 ? (
        <EmptyState title={lines.length === 0 ? 'No lines yet' : 'No lines at these levels'}>
          While this page is open, the device is asked to send live log lines to the topic <code>log</code>.
          They are not stored.
        </EmptyState>
      ) : (
        <Tail lines={shown} />
      )}
    </Panel>
  );
}

/** The newest line stays in view unless the user has scrolled up. */
function Tail({ lines }: { lines: readonly Heard[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each new line
  useEffect(() => {
    if (atEnd.current) scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, [lines]);
  return (
    <div
      ref={scroller}
      className={`${lineCss.mono} ${css.tail}`}
      role="log"
      aria-label="Live log"
      aria-live="off"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs keyboard focus
      tabIndex={0}
      onScroll={({ currentTarget: it }) => {
        atEnd.current = it.scrollHeight - it.scrollTop - it.clientHeight < 40;
      }}
    >
      {lines.map(line => (
        <div key={line.number} className={css.line}>
          <LogText line={line} />
        </div>
      ))}
    </div>
  );
}
