import { countOf } from '#console/firmware/firmwareWords.ts';
import type { ChannelFirmware } from '#contract/channelFirmware.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './channelBar.module.css';

type Part = keyof ChannelFirmware['devices'];

interface ChannelBarProps {
  firmware: ChannelFirmware;
  /** The bundle that the channel is moving to, or points at. */
  bundleName: string;
  isRollout: boolean;
}

/** All devices of a channel in one bar: its parts always add up to the whole. */
export function ChannelBar({ firmware: { devices, total }, bundleName, isRollout }: ChannelBarProps) {
  const shown = parts.filter(([part]) => devices[part] > 0);
  return (
    <section className={css.whole} aria-label="Devices of the channel">
      <div className={css.bar} aria-hidden="true" data-none={shown.length === 0 || undefined}>
        {shown.map(([part]) => (
          <span key={part} className={css.part} data-part={part} style={{ flexGrow: devices[part] }} />
        ))}
      </div>
      <ul className={css.legend}>
        {shown.map(([part, words]) => (
          <li key={part}>
            <span className={css.part} data-part={part} aria-hidden="true" />
            <span dir="auto">{words({ bundleName, isRollout })}</span> <b>{numberText(devices[part])}</b>
          </li>
        ))}
        <li className={css.sum}>{countOf(total, 'device')} in all</li>
      </ul>
    </section>
  );
}

const parts: readonly [Part, (of: { bundleName: string; isRollout: boolean }) => string][] = [
  ['updated', ({ bundleName }) => `On ${bundleName}`],
  ['updating', () => 'Updating'],
  ['waiting', () => 'Disconnected, follow on return'],
  ['failed', () => 'Failed'],
  ['unable', () => 'Unable or declined'],
  ['thisStep', () => 'This step'],
  ['nextStep', () => 'Next step'],
  ['laterSteps', () => 'Later steps'],
  ['leftOut', () => 'Not included'],
  ['other', () => 'Off target'],
  [
    'neverConnected',
    ({ isRollout }) => (isRollout ? 'Never connected, follow on first contact' : 'Never connected'),
  ],
];
