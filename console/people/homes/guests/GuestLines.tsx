import { type ReactNode, useState } from 'react';
import { deviceName } from '#console/devices/deviceWords.ts';
import { ClockIcon } from '#console/people/personIcons.tsx';
import { Button } from '#console/ui/Button.tsx';
import { personName } from '#console/ui/links/personWords.ts';
import { useNow } from '#console/ui/time/TimeAgo.tsx';
import type { GuestAccess, HomeMember } from '#contract/home.ts';
import type { HomeDevice } from '#contract/homeDevice.ts';
import css from './guests.module.css';
import { windowState, windowText } from './guestWords.ts';

interface GuestLinesProps {
  members: readonly HomeMember[];
  devices: readonly HomeDevice[] | undefined;
  timeZone: string;
  onEdit: ((member: HomeMember) => void) | undefined;
}

const shownFirst = 5;

/** What each guest can see and control, and when, as a sentence. */
export function GuestLines({ members, devices, timeZone, onEdit }: GuestLinesProps) {
  const [all, setAll] = useState(false);
  const guests = members.filter(({ guest }) => guest !== undefined);
  const shown = all ? guests : guests.slice(0, shownFirst);
  return (
    <>
      {shown.map(member => (
        <GuestLine key={member.userId} {...{ member, devices, timeZone, onEdit }} />
      ))}
      {shown.length < guests.length && (
        <div className={css.more}>
          <Button variant="quiet" onClick={() => setAll(true)}>
            Show {guests.length - shown.length} more guests
          </Button>
        </div>
      )}
    </>
  );
}

function GuestLine({
  member,
  devices = [],
  timeZone,
  onEdit,
}: Omit<GuestLinesProps, 'members'> & { member: HomeMember }) {
  const now = useNow();
  const { guest, userId, ...rest } = member;
  if (!guest) return null;
  const name = personName({ id: userId, ...rest });
  const window = windowText(guest, timeZone);
  const state = windowState(guest, now);
  const isOver = state === 'over';
  const sees = guest.devices.map(({ deviceId }) => deviceId);
  const controls = guest.devices.filter(({ mayControl }) => mayControl).map(({ deviceId }) => deviceId);
  return (
    <div className={css.line} data-over={isOver || undefined}>
      <ClockIcon />
      <p>
        <span dir="auto">{name}</span> {isOver ? 'could see' : state === 'ahead' ? 'will see' : 'sees'}{' '}
        <DeviceNames ids={sees} devices={devices} />
        {controls.length > 0 ? (
          <>
            {' and '}
            {isOver ? 'control' : 'may control'}{' '}
            {controls.length === sees.length && sees.length > 1 ? (
              'all of them'
            ) : controls.length === sees.length ? (
              'it'
            ) : (
              <DeviceNames ids={controls} devices={devices} />
            )}
          </>
        ) : (
          ', without controlling'
        )}
        {window && `, ${window}`}.
      </p>
      {onEdit && (
        <Button variant="quiet" aria-label={`Edit access of ${name}`} onClick={() => onEdit(member)}>
          Edit
        </Button>
      )}
    </div>
  );
}

const namedMax = 4;

/** "Front door, Attic and 3 more" */
function DeviceNames({
  ids,
  devices,
}: {
  ids: readonly string[];
  devices: readonly HomeDevice[];
}): ReactNode {
  const more = ids.length > namedMax ? ids.length - namedMax + 1 : 0;
  const named = ids.slice(0, ids.length - more);
  return named.map((id, at) => {
    const device = devices.find(one => one.id === id);
    const isLast = at === named.length - 1;
    return (
      <span key={id}>
        {at > 0 && (isLast && more === 0 ? ' and ' : ', ')}
        <b dir="auto">{device ? deviceName(device) : 'a device'}</b>
        {isLast && more > 0 && ` and ${more} more`}
      </span>
    );
  });
}

/** A guest's devices as a cell in the table of rights: "2 of 6". */
export function guestShare({ devices }: GuestAccess, right: string, total: number): string {
  const count =
    right === 'view'
      ? devices.length
      : right === 'control'
        ? devices.filter(one => one.mayControl).length
        : 0;
  return count === 0 ? '–' : `${count} of ${total}`;
}
