import { useRead } from '#console/core/api.ts';
import { patchText } from '#console/devices/activity/patchText.ts';
import { secondText } from '#console/ui/time/dateTexts.ts';
import type { AlertDetail } from '#contract/alert.ts';
import { listCommands } from '#contract/command.ts';
import { listDesiredChanges } from '#contract/desiredChange.ts';
import { listDeviceUpdates } from '#contract/deviceFirmware.ts';
import { hourMs } from '#rules/time/durations.ts';
import css from './drawer.module.css';

/** How far back the newest commands and changes are searched, and how many are shown. */
const searchedMax = 100;
const shownMax = 3;

interface Change {
  at: string;
  what: string;
  by?: { callerType: string; id: string; displayName: string };
}

/** What the device was told or what it was changed to within the hour before the alert, the latest first. */
export function JustBefore({ alert }: { alert: AlertDetail }) {
  const params = { deviceId: alert.deviceId };
  const query = { limit: searchedMax };
  const sent = useRead(listCommands, { params, query });
  const changed = useRead(listDesiredChanges, { params, query });
  const updated = useRead(listDeviceUpdates, { params, query: { limit: 10 } });
  const [commands, desired, updates] = [sent.data?.items, changed.data?.items, updated.data?.items];
  if (!commands || !desired || !updates)
    return <>{sent.error || changed.error || updated.error ? 'Could not be loaded' : '…'}</>;
  const all: Change[] = [
    ...commands.map(({ createdAt, name, sentBy }) => ({ at: createdAt, what: name, by: sentBy })),
    ...desired.map(({ createdAt, patch, setBy }) => ({ at: createdAt, what: patchText(patch), by: setBy })),
    ...updates.map(({ assignedAt, bundle }) => ({
      at: assignedAt,
      what: bundle ? `firmware ${bundle.name}` : 'no firmware',
    })),
  ];
  const raisedAt = Date.parse(alert.raisedAt);
  const before = all
    .filter(({ at }) => Date.parse(at) <= raisedAt && Date.parse(at) > raisedAt - hourMs)
    .sort((a, b) => b.at.localeCompare(a.at));
  if (before.length === 0) return <>Nothing was changed in the hour before</>;
  return (
    <ul className={css.changes}>
      {before.slice(0, shownMax).map(({ at, what, by }) => (
        <li key={`${at} ${what}`}>
          <b dir="auto">{what}</b>
          {by && ` by ${by.displayName || by.id}`}, <time dateTime={at}>{secondText(Date.parse(at))}</time>
        </li>
      ))}
    </ul>
  );
}
