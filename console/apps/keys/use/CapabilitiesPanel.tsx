import { capabilityWords } from '#console/apps/keys/capabilityWords.ts';
import css from '#console/apps/keys/keys.module.css';
import { serverNow } from '#console/core/serverClock.ts';
import { DayBars } from '#console/ui/chart/DayBars.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { Toggle } from '#console/ui/form/Toggle.tsx';
import { WarningIcon } from '#console/ui/icons/icon.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { ReadState, type ReadStateProps } from '#console/ui/state/ReadState.tsx';
import { Dot } from '#console/ui/state/StatePill.tsx';
import { utcDayText } from '#console/ui/time/dateTexts.ts';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { type Capability, capabilities } from '#contract/endpoint.ts';
import type { Key, KeyUse } from '#contract/key.ts';
import { numberText } from '#rules/text/numberText.ts';
import { dayMs } from '#rules/time/durations.ts';
import { keyUseDays } from '#rules/time/retention.ts';
import type { PressedKey } from './AdviceBand.tsx';
import { adviceText } from './adviceWords.ts';

interface CapabilitiesPanelProps {
  pressed: PressedKey;
  read: ReadStateProps['read'] & { data: KeyUse | undefined };
  locked: boolean;
}

/** What a key may do, beside what it did in the last 30 days. */
export function CapabilitiesPanel({ pressed, read, locked }: CapabilitiesPanelProps) {
  const { shown, busy, press } = pressed;
  const { data: use } = read;
  async function flip(name: Capability, isOn: boolean) {
    if (await press(() => ({ [name]: isOn })))
      toast(`${capabilityWords[name].label} turned ${isOn ? 'on' : 'off'}`);
  }
  return (
    <Panel title="Capabilities" note={use && neededText(shown, use)} flush>
      <table className={css.capabilities} aria-label="Capabilities">
        <thead>
          <tr>
            <th scope="col">
              <span className="visuallyHidden">On</span>
            </th>
            <th scope="col">Capability</th>
            <th scope="col">{use ? `${utcDayText(use.from)} – ${utcDayText(use.to)}` : '30 days'}</th>
            <th scope="col">Calls</th>
            <th scope="col">Last used</th>
            <th scope="col">Advice</th>
          </tr>
        </thead>
        <tbody>
          {capabilities.map(name => (
            <CapabilityRow
              key={name}
              name={name}
              isOn={shown[name]}
              use={use}
              busy={busy}
              onFlip={locked ? undefined : isOn => void flip(name, isOn)}
            />
          ))}
        </tbody>
        {use && (
          <tfoot>
            <tr>
              <td />
              <th scope="row">All calls</th>
              <td />
              <td>{numberText(use.calls)}</td>
              <td />
              <td />
            </tr>
          </tfoot>
        )}
      </table>
      {!use && read.error && <ReadState read={read} what="The usage of the key" />}
    </Panel>
  );
}

interface CapabilityRowProps {
  name: Capability;
  isOn: boolean;
  use: KeyUse | undefined;
  busy: boolean;
  /** Absent: the member may not change it. */
  onFlip: ((isOn: boolean) => void) | undefined;
}

function CapabilityRow({ name, isOn, use, busy, onFlip }: CapabilityRowProps) {
  const { label } = capabilityWords[name];
  const own = use?.capabilities.find(({ capability }) => capability === name);
  const advice = isOn && own ? adviceText(own) : undefined;
  const warning = advice && (
    <span className={css.advice}>
      <WarningIcon size={14} />
      <span>{advice}</span>
    </span>
  );
  return (
    <tr>
      <td>
        {onFlip ? (
          <Toggle label={label} words={null} on={isOn} busy={busy} onChange={onFlip} />
        ) : (
          <span className={css.onOff}>
            <Dot tone={isOn ? 'ok' : 'off'} />
            <span className="visuallyHidden">{isOn ? 'on' : 'off'}</span>
          </span>
        )}
      </td>
      <th scope="row" data-off={!isOn || undefined}>
        {label}
        <code>{name}</code>
        {/* Replaces its column where there is no room for that. */}
        {warning && <span className={css.narrowAdvice}>{warning}</span>}
      </th>
      <td>
        {use && own && (
          <DayBars label={`${label}, calls a day`} days={own.days} from={use.from} to={use.to} />
        )}
      </td>
      <td>{own && numberText(own.calls)}</td>
      <td>{own && <TimeAgo time={own.lastUsedAt} />}</td>
      <td>{warning ?? <span className={css.quiet}>{own && restText(isOn, own.calls)}</span>}</td>
    </tr>
  );
}

function restText(isOn: boolean, calls: number): string {
  if (!isOn) return 'Off';
  return calls > 0 ? 'Keep' : 'No calls yet';
}

/** "3 of 5 needed, by use over 30 days"; not known for a key younger than that. */
function neededText(key: Key, { capabilities: uses }: KeyUse): string {
  const on = capabilities.filter(name => key[name]);
  const adviceAt = Date.parse(key.createdAt) + keyUseDays * dayMs;
  if (serverNow() < adviceAt) return `${on.length} of 5 on; advice from ${utcDayText(adviceAt)}`;
  const needless = uses.filter(({ capability, advice }) => advice && key[capability]).length;
  return `${on.length - needless} of ${on.length} needed, by use over 30 days`;
}
