import { useStore } from '#console/core/store.ts';
import { Button } from '#console/ui/Button.tsx';
import { Choices } from '#console/ui/list/Choices.tsx';
import { Facts, Panel } from '#console/ui/screen/Panel.tsx';
import { Segments } from '#console/ui/screen/Segments.tsx';
import type { ProgressFrame } from '#contract/deviceProtocol.ts';
import css from '../devicesim.module.css';
import type { Fault } from '../firmwareUpdate.ts';
import type { Simulation } from '../simulation.ts';

const faults: readonly { value: Fault; label: string; hint: string }[] = [
  { value: 'none', label: 'None', hint: 'The update succeeds.' },
  { value: 'checksum', label: 'Bad checksum', hint: 'The file does not match its checksum.' },
  { value: 'signature', label: 'Bad signature', hint: 'The file is not signed with a trusted key.' },
  { value: 'dropOut', label: 'Interrupted', hint: 'The connection drops once; the download resumes.' },
  { value: 'slow', label: 'Slow', hint: 'Every 64 KiB takes a quarter of a second longer.' },
  { value: 'noSpace', label: 'No space', hint: 'The device has no room for the file.' },
  { value: 'decline', label: 'Declined', hint: 'The device declines the update.' },
  { value: 'postpone', label: 'Postponed', hint: 'The device postpones the update by a minute.' },
  { value: 'boot', label: 'Does not boot', hint: 'The old version starts again after the reboot.' },
  {
    value: 'selfTest',
    label: 'Self-test fails',
    hint: 'The new version starts, fails its self-test and restores the old one.',
  },
];

const stateWords: Record<ProgressFrame['state'], string> = {
  accepted: 'Accepted',
  downloading: 'Downloading',
  verifying: 'Verifying',
  ready: 'Waiting for you to start the update',
  installing: 'Installing',
  rebooting: 'Rebooting',
  confirming: 'Checking the new version',
  done: 'Updated',
  failed: 'Failed',
  declined: 'Declined',
  postponed: 'Postponed',
};

/** The installed firmware, the target, and the progress of the update. */
export function FirmwarePanel({ simulation: { firmware } }: { simulation: Simulation }) {
  const target = useStore(firmware.target);
  const installed = useStore(firmware.installed);
  const isRunning = useStore(firmware.isRunning);
  const begins = useStore(firmware.begins);
  const isNew = Boolean(target && target.bundleId !== installed.bundleId);
  const hasDelta = isNew && target?.components.some(({ delta }) => delta);
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
            ['Installed', versions(installed.components) || 'Not reported'],
            ['Target', target ? versions(target.components) : 'None assigned'],
            ...(hasDelta
              ? [['Delta', 'Not used: a browser cannot apply it, so the whole file is downloaded.'] as const]
              : []),
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
  const { state, percent, component, code, error } = progress;
  return (
    <div role="status" className={css.stack}>
      <p>
        <b>{stateWords[state]}</b> {component && <code>{component}</code>}{' '}
        {percent !== undefined && `${percent}%`} {state === 'failed' && code && <code>{code}</code>}
      </p>
      {percent !== undefined && (
        <progress className={css.progress} aria-label={stateWords[state]} max={100} value={percent} />
      )}
      {error && <p className={css.reason}>{error}</p>}
    </div>
  );
}

function versions(components: readonly { component: string; version: string }[]): string {
  return components.map(({ component, version }) => `${component} ${version}`).join('\n');
}
