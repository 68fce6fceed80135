import { Link } from '@tanstack/react-router';
import { useRead } from '#console/core/api.ts';
import { deviceName, stateOf } from '#console/devices/deviceWords.ts';
import { countOf } from '#console/firmware/firmwareWords.ts';
import { HomeIcon } from '#console/people/personIcons.tsx';
import { guestText, homeRoleWords, rightsText } from '#console/people/roleInHome.ts';
import { PersonLink } from '#console/ui/links/PersonLink.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { Dot } from '#console/ui/state/StatePill.tsx';
import { LastsSince } from '#console/ui/time/TimeAgo.tsx';
import { type DeviceRow, listDevices } from '#contract/device.ts';
import type { Home, HomeMember } from '#contract/home.ts';
import { listHomeMembers } from '#contract/home.ts';
import { limitMax } from '#contract/paging.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './userPage.module.css';

interface HomeOfUserProps {
  projectId: string;
  userId: string;
  home: Home;
  /** Without roles, only the owner differs from the other members. */
  hasRoles: boolean;
}

/** A home from the point of view of one of its members. */
export function HomeOfUser({ projectId, userId, home, hasRoles }: HomeOfUserProps) {
  const { id: homeId, name, owner, deviceCount, active } = home;
  const { data: members } = useRead(listHomeMembers, { params: { homeId } });
  const self = members?.find(member => member.userId === userId);
  const role = self?.role ?? (owner.id === userId ? 'owner' : undefined);
  return (
    <section className={css.home} aria-label={name}>
      <header>
        <HomeIcon />
        <h3>
          <Link to="/projects/$projectId/homes/$homeId" params={{ projectId, homeId }} dir="auto">
            {name}
          </Link>
        </h3>
        <span className={css.quiet}>
          home {homeId}, {countOf(deviceCount, 'device')}
          {!active && ', not active'}
        </span>
        {role && (hasRoles || role === 'owner') && <span className={css.role}>{homeRoleWords[role]}</span>}
      </header>
      <DevicesOfHome projectId={projectId} home={home} self={self} />
      <footer>
        <span>{self && mayText(self, home, hasRoles)}</span>
        {owner.id === userId ? (
          <span>{othersText(members)}</span>
        ) : (
          <span>
            Owner: <PersonLink projectId={projectId} person={owner} />
          </span>
        )}
      </footer>
    </section>
  );
}

function mayText({ role, rights, guest }: HomeMember, { deviceCount }: Home, hasRoles: boolean): string {
  if (role === 'owner') return 'Can do everything, as the only owner';
  if (!hasRoles) return 'Can do everything the owner can, except transfer or delete it';
  return guest ? guestText(guest, deviceCount) : rightsText(rights);
}

/** "3 other members and a guest" */
function othersText(members: readonly HomeMember[] | undefined): string {
  if (!members) return '';
  const guests = members.filter(({ role }) => role === 'guest').length;
  const others = members.length - 1 - guests;
  const said = [others > 0 && countOf(others, 'other member'), guests > 0 && countOf(guests, 'guest')];
  return said.filter(Boolean).join(', ') || 'No other members';
}

const shownMax = 12;

interface DevicesOfHomeProps {
  projectId: string;
  home: Home;
  self: HomeMember | undefined;
}

/** Each device as a small link. A guest has only the devices that are listed. */
function DevicesOfHome({ projectId, home: { id: homeId, deviceCount }, self }: DevicesOfHomeProps) {
  const guest = self?.guest;
  const { data, error } = useRead(
    listDevices,
    { query: { homeId, limit: limitMax, sortBy: 'name:asc' } },
    { enabled: deviceCount > 0 && self !== undefined },
  );
  if (deviceCount === 0) return <p className={css.noDevices}>No devices yet.</p>;
  if (!data)
    return (
      <div className={css.noDevices}>
        {error ? <FormError error={error} /> : <Skeleton lines={2} unsized />}
      </div>
    );
  const theirs = guest
    ? data.items.filter(({ id }) => guest.devices.some(({ deviceId }) => deviceId === id))
    : data.items;
  const more = (guest ? theirs.length : deviceCount) - shownMax;
  return (
    <>
      <div className={css.devices}>
        {theirs.slice(0, shownMax).map(device => (
          <SmallDevice key={device.id} projectId={projectId} device={device} />
        ))}
      </div>
      {more > 0 && (
        <p className={css.lastLine}>
          <Link to="/projects/$projectId/homes/$homeId" params={{ projectId, homeId }}>
            {numberText(more)} more
          </Link>
        </p>
      )}
    </>
  );
}

function SmallDevice({ projectId, device }: { projectId: string; device: DeviceRow }) {
  const { id: deviceId, name, tag, connection } = device;
  const { tone, word } = stateOf(device);
  return (
    <Link className={css.device} to="/projects/$projectId/devices/$deviceId" params={{ projectId, deviceId }}>
      <Dot tone={tone} />
      <b dir="auto">{deviceName(device)}</b>
      <code dir="auto">{name && tag ? tag : deviceId}</code>
      <small>
        <span className="visuallyHidden">{word} </span>
        {connection.since ? (
          <>
            for <LastsSince time={connection.since} />
          </>
        ) : (
          'never'
        )}
      </small>
    </Link>
  );
}
