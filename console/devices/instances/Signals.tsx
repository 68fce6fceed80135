import { QuietIcon, ShieldIcon } from '#console/devices/states/signalIcons.tsx';
import { WarningIcon } from '#console/ui/icons/icon.tsx';
import { BellIcon, BoltIcon, FirmwareIcon } from '#console/ui/icons/icons.tsx';
import type { DeviceSignal } from '#contract/device.ts';
import type { DevicePulse } from '#contract/fleet.ts';
import { usePulse } from './Pulses.tsx';
import css from './pulse.module.css';

const shownMax = 2;

/** Recent problems of a device: the first two, and how many more there are. */
export function Signals({ id }: { id: string }) {
  const signals = usePulse(id)?.signals ?? [];
  const more = signals.slice(shownMax);
  return (
    <span className={css.signals}>
      {signals.slice(0, shownMax).map(one => (
        <Signal key={one.signal} of={one} isAlone={signals.length === 1} />
      ))}
      {more.length > 0 && (
        <span className={css.signal} title={more.map(wordsOf).join(', ')}>
          +{more.length}
        </span>
      )}
    </span>
  );
}

type Of = DevicePulse['signals'][number];

function Signal({ of, isAlone }: { of: Of; isAlone: boolean }) {
  const { icon: Icon, tone } = looks[of.signal];
  return (
    <span className={css.signal} title={wordsOf(of)}>
      <span className={css.icon} data-tone={tone}>
        <Icon size={12} />
      </span>
      <span className={css.word} dir="auto">
        {isAlone ? wordsOf(of) : shortWordsOf(of)}
      </span>
    </span>
  );
}

const looks: Record<DeviceSignal, { icon: typeof BellIcon; tone: 'danger' | 'warn' }> = {
  alert: { icon: BellIcon, tone: 'danger' },
  updateFailed: { icon: FirmwareIcon, tone: 'danger' },
  commandFailed: { icon: BoltIcon, tone: 'danger' },
  quarantine: { icon: ShieldIcon, tone: 'warn' },
  flapping: { icon: WarningIcon, tone: 'warn' },
  quiet: { icon: QuietIcon, tone: 'warn' },
};

function wordsOf({ signal, count, text }: Of): string {
  switch (signal) {
    case 'alert':
      return count === 1 ? (text ?? '1 alert') : `${count} alerts`;
    case 'updateFailed':
      return 'update failed';
    case 'commandFailed':
      return count === 1 ? 'command failed' : `${count} commands failed`;
    case 'quarantine':
      return `${count} in quarantine`;
    case 'flapping':
      return `flapping, ${count} changes`;
    case 'quiet':
      return 'gone quiet';
  }
}

/** An alert's text is a sentence from the device: beside another signal, a few letters of it would be left. */
function shortWordsOf(of: Of): string {
  return of.signal === 'alert' && of.count === 1 ? 'alert' : wordsOf(of);
}
