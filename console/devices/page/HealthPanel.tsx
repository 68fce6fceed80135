import { Link } from '@tanstack/react-router';
import { useActions } from '#console/core/actions.ts';
import { useRead } from '#console/core/api.ts';
import css from '#console/devices/devices.module.css';
import { Button } from '#console/ui/Button.tsx';
import found from '#console/ui/Findings.module.css';
import fold from '#console/ui/screen/Disclosure.module.css';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { Dot, type Tone } from '#console/ui/state/StatePill.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import type { Device } from '#contract/device.ts';
import { checkDevice, type DeviceHealth } from '#contract/deviceHealth.ts';
import page from './page.module.css';

type Layer = DeviceHealth['layers'][number];
type Verdict = Layer['verdict'];

const tones: Record<Verdict, Tone> = { ok: 'ok', warn: 'warn', fail: 'danger', unknown: 'never' };
const said: Record<Verdict, string> = { ok: 'OK', warn: 'Warning', fail: 'Problem', unknown: 'Unknown' };

/** Checks the layers between the platform and the device without being asked, and shows whatever is wrong. */
export function HealthPanel({ device }: { device: Device }) {
  const read = useRead(checkDevice, { params: { deviceId: device.id } });
  const { data, refetch, isFetching, dataUpdatedAt } = read;
  useActions([{ label: 'Check health', keys: 'h', run: () => void refetch() }]);
  const bad = data?.layers.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn') ?? [];
  const good = data?.layers.filter(layer => !bad.includes(layer)) ?? [];
  return (
    <Panel
      title="Health"
      note={data && <TimeAgo time={new Date(dataUpdatedAt).toISOString()} />}
      action={
        <Button variant="quiet" busy={isFetching} onClick={() => void refetch()}>
          Check again
        </Button>
      }
    >
      <div role="status">
        <ReadState read={read} what="The health check" skeleton={<Skeleton lines={3} />} />
        {bad.length > 0 && (
          <>
            <p className={page.verdict}>
              <Dot tone={tones[bad[0]?.verdict ?? 'ok']} />
              <b>{bad.length === 1 ? '1 thing to look at' : `${bad.length} things to look at`}</b>
            </p>
            <Layers layers={bad} device={device} />
          </>
        )}
        {data && bad.length === 0 && <span className="visuallyHidden">All checks passed</span>}
      </div>
      {good.length > 0 && (
        <details className={page.passed}>
          <summary className={fold.disclosure}>
            {bad.length === 0 && <Dot tone="ok" />}
            {goodText(good.length, bad.length === 0)}
          </summary>
          <Layers layers={good} device={device} />
        </details>
      )}
    </Panel>
  );
}

function goodText(good: number, isAll: boolean): string {
  return isAll ? `All ${good} checks passed` : `${good === 1 ? '1 check' : `${good} checks`} passed`;
}

function Layers({ layers, device }: { layers: readonly Layer[]; device: Device }) {
  return (
    <ol className={found.findings}>
      {layers.map(({ id, verdict, text, advice, at }) => (
        <li key={id}>
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
            {advice && <span className={page.advice}>{advice}</span>}
            {id === 'schema' && verdict !== 'ok' && <QuarantineLink device={device} />}
          </span>
        </li>
      ))}
    </ol>
  );
}

/** Links to the messages of this device that were quarantined. */
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
