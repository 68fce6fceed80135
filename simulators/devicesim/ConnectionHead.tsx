import { useEffect } from 'react';
import { useStore } from '#console/core/store.ts';
import { Button } from '#console/ui/Button.tsx';
import { CopyText } from '#console/ui/CopyText.tsx';
import { StatePill, type Tone } from '#console/ui/state/StatePill.tsx';
import { minuteMs } from '#rules/time/durations.ts';
import type { Status } from '#sdk/device.ts';
import { durationText } from '../shared/durationText.ts';
import frameCss from '../shared/frame.module.css';
import { useNow } from '../shared/useNow.ts';
import css from './devicesim.module.css';
import type { Simulation } from './simulation.ts';

const shown: Record<Status['state'], [Tone, string]> = {
  connecting: ['busy', 'Connecting'],
  connected: ['ok', 'Connected'],
  waiting: ['warn', 'Not connected'],
  offline: ['off', 'Offline'],
  closed: ['off', 'Stopped'],
};

/** Whether the device is connected, why not, and what to do about it. */
export function ConnectionHead({ simulation }: { simulation: Simulation }) {
  const status = useStore(simulation.status);
  const now = useNow();
  const [tone, word] = shown[status.state];
  useEffect(() => {
    document.title = `${word}: ${simulation.device.id} · Device simulator`;
  }, [word, simulation]);
  return (
    <header className={frameCss.head}>
      <div className={css.title}>
        <h1 tabIndex={-1}>Device simulator</h1>
        <CopyText text={simulation.device.id} label="Copy device id" />
        <StatePill tone={tone} word={word} detail={detail(status, now)} />
        {/* Separate from the time, which screen readers would otherwise announce every second. */}
        <span role="status" className="visuallyHidden">
          {word}
        </span>
      </div>
      <Actions simulation={simulation} status={status} />
      {status.state === 'waiting' && (
        <p className={css.reason}>
          {status.text} <code>{status.reason}</code>
        </p>
      )}
      <KeyLife expiresAt={simulation.credentials.expiresAt} now={now} />
    </header>
  );
}

function Actions({ simulation: { device }, status }: { simulation: Simulation; status: Status }) {
  const isOn = status.state === 'connected' || status.state === 'connecting';
  return (
    <div className={css.actions}>
      {isOn ? (
        <>
          <Button key="leave" onClick={() => device.disconnect()}>
            Go offline
          </Button>
          <Button
            title="Closes the connection without DISCONNECT, like a network failure."
            onClick={() => device.disconnect({ abruptly: true })}
          >
            Drop connection
          </Button>
        </>
      ) : (
        <Button key="connect" variant="primary" onClick={() => device.connect()}>
          {status.state === 'waiting' ? 'Retry now' : 'Connect'}
        </Button>
      )}
    </div>
  );
}

/** Shows how long a temporary key is valid. */
function KeyLife({ expiresAt, now }: { expiresAt: number | undefined; now: number }) {
  if (expiresAt === undefined) return null;
  const left = expiresAt - now;
  if (left <= 0)
    return (
      <p className={css.reason}>
        The temporary key has expired. Open the simulator again from the device’s page in the console.
      </p>
    );
  return (
    <p className={css.quiet} data-soon={left < 5 * minuteMs || undefined}>
      The temporary key is valid for another {durationText(left)}.
    </p>
  );
}

function detail(status: Status, now: number): string {
  if (status.state === 'connected') return durationText(now - status.since.getTime());
  if (status.state !== 'waiting') return '';
  return `retrying in ${durationText(status.retryAt.getTime() - now)}`;
}
