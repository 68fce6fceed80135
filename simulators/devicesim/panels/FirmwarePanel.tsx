import { useStore } from '#console/store.ts';
import { Button } from '#console/ui/Button.tsx';
import { Choices } from '#console/ui/list/Choices.tsx';
import { Facts, Panel } from '#console/ui/screen/Panel.tsx';
import { Segments } from '#console/ui/screen/Segments.tsx';
import css from '../devicesim.module.css';
import type { Fault } from '../firmwareUpdate.ts';
import type { Simulation } from '../simulation.ts';

const faults: readonly { value: Fault; label: string; hint: string }[] = [
  { value: 'none', label: 'None', hint: 'The update succeeds.' },
  { value: 'checksum', label: 'Bad checksum', hint: 'The file does not match its checksum.' },
  { value: 'dropOut', label: 'Interrupted', hint: 'The download is interrupted and resumes.' },
  { value: 'install', label: 'Bad image', hint: 'The new version does not start; the old one is restored.' },
  { value: 'decline', label: 'Declined', hint: 'The device declines the update.' },
];

/** What runs, what shall run, and the way there. */
export function FirmwarePanel({ simulation: { firmware } }: { simulation: Simulation }) {
  const target = useStore(firmware.target);
  const installed = useStore(firmware.installed);
  const isRunning = useStore(firmware.isRunning);
  const begins = useStore(firmware.begins);
  const isNew = Boolean(target && target.bundleId !== installed.bundleId);
  return (
    <Panel
      title="Firmware"
      action={
        <div className={css.inHead}>
          <Segments
            label="Start updates"
            options={[
              { value: 'self', label: 'Automatically' },
              { value: 'hand', label: 'Manually' },
            ]}
            chosen={begins}
            onChange={value => firmware.begins.set(value)}
          />
        </div>
      }
    >
      <div className={css.stack}>
        <Facts
          facts={[
            ['Installed', versions(installed.components) || 'nothing reported'],
            ['Target', target ? versions(target.components) : 'none assigned'],
          ]}
        />
        <Progress simulation={{ firmware }} />
        {isNew && !isRunning && (
          <div className={css.line}>
            <Button variant="primary" onClick={() => firmware.begin()}>
              Start update
            </Button>
          </div>
        )}
        <Choices
          label="Simulated error"
          value={useStore(firmware.fault)}
          onChange={value => firmware.fault.set(value)}
          choices={faults}
        />
      </div>
    </Panel>
  );
}

function Progress({ simulation: { firmware } }: { simulation: Pick<Simulation, 'firmware'> }) {
  const progress = useStore(firmware.progress);
  if (!progress) return null;
  const { state, percent, component, error } = progress;
  return (
    <div role="status" className={css.stack}>
      <p>
        <b>{state}</b> {component && <code>{component}</code>} {percent !== undefined && `${percent}%`}
      </p>
      {percent !== undefined && (
        <progress className={css.progress} aria-label={state} max={100} value={percent} />
      )}
      {error && <p className={css.reason}>{error}</p>}
    </div>
  );
}

function versions(components: readonly { component: string; version: string }[]): string {
  return components.map(({ component, version }) => `${component} ${version}`).join('\n');
}
