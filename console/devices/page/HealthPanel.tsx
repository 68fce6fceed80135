import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useActions } from '#console/actions.ts';
import { useRead } from '#console/api.ts';
import css from '#console/devices/devices.module.css';
import { Button } from '#console/ui/Button.tsx';
import found from '#console/ui/Findings.module.css';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { ErrorState } from '#console/ui/state/ErrorState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { Dot, type Tone } from '#console/ui/state/StatePill.tsx';
import { TimeAgo } from '#console/ui/state/TimeAgo.tsx';
import { checkDevice, type Device, type DeviceHealth } from '#contract/device.ts';

type Verdict = DeviceHealth['layers'][number]['verdict'];

const tones: Record<Verdict, Tone> = { ok: 'ok', warn: 'warn', fail: 'danger', unknown: 'never' };
const said: Record<Verdict, string> = { ok: 'OK', warn: 'Warning', fail: 'Problem', unknown: 'Unknown' };

/** Walks the layers between the platform and the device: the first that is not well is where to look. */
export function HealthPanel({ device }: { device: Device }) {
  const [asked, setAsked] = useState(false);
  const params = { deviceId: device.id };
  const { data, error, refetch, isFetching } = useRead(checkDevice, { params }, { enabled: asked });
  const check = () => {
    if (asked) void refetch();
    else setAsked(true);
  };
  useActions([{ label: 'Check health', keys: 'h', run: check }]);
  const firstAt = data?.layers.findIndex(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  return (
    <Panel
      title="Health"
      action={
        <Button variant="quiet" busy={isFetching} onClick={check}>
          {data ? 'Check again' : 'Check'}
        </Button>
      }
    >
      {!asked && (
        <p className={css.note}>
          Checks each layer between the platform and the device, and reports the one at fault.
        </p>
      )}
      <div role="status">
        {asked && !data && !error && <Skeleton lines={4} />}
        {asked && !data && error && <ErrorState what="The health check" error={error} onRetry={check} />}
        {data && (
          <ol className={`${found.findings} ${css.layers}`}>
            {data.layers.map(({ id, verdict, text, advice, at }, index) => (
              <li key={id} data-first={index === firstAt || undefined}>
                <Dot tone={tones[verdict]} />
                <span>
                  <span className="visuallyHidden">{said[verdict]}: </span>
                  {text}
                  {at && (
                    <span className={css.quiet}>
                      {' '}
                      <TimeAgo time={at} />
                    </span>
                  )}
                  {advice && <span className={css.advice}>{advice}</span>}
                  {id === 'schema' && verdict !== 'ok' && <QuarantineLink device={device} />}
                </span>
              </li>
            ))}
          </ol>
        )}
      </div>
    </Panel>
  );
}

/** To what this device said that was not taken. */
function QuarantineLink({ device: { projectId, deviceClass: classId, id } }: { device: Device }) {
  return (
    <Link
      to="/projects/$projectId/device_classes/$classId/overview"
      params={{ projectId, classId }}
      search={{ device: id } as never}
    >
      Show quarantine
    </Link>
  );
}
