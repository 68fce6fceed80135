import { Link } from '@tanstack/react-router';
import { guestShare } from '#console/people/homes/guests/GuestLines.tsx';
import { windowState } from '#console/people/homes/guests/guestWords.ts';
import css from '#console/people/homes/homes.module.css';
import { PersonCell } from '#console/people/PersonCell.tsx';
import { MailIcon } from '#console/people/personIcons.tsx';
import { homeRoleWords, rightColumns } from '#console/people/roleInHome.ts';
import { Menu } from '#console/ui/dialog/Menu.tsx';
import { CheckIcon, ChevronDownIcon } from '#console/ui/icons/icons.tsx';
import { personName } from '#console/ui/links/personWords.ts';
import type { Column } from '#console/ui/list/Table.tsx';
import { TwoLines } from '#console/ui/list/TwoLines.tsx';
import { durationText, TimeAgo, useNow } from '#console/ui/time/TimeAgo.tsx';
import type { HomeInvitation, HomeMember } from '#contract/home.ts';

/** Members, and people with an invitation. */
export type MemberRow = HomeMember | HomeInvitation;

type SetRole = (member: HomeMember, role: 'admin' | 'member' | 'guest') => void;

interface Known {
  projectId: string;
  hasRoles: boolean;
  deviceCount: number;
  setRole: SetRole | undefined;
}

export function memberColumns({
  projectId,
  hasRoles,
  deviceCount,
  setRole,
}: Known): readonly Column<MemberRow>[] {
  return [
    {
      id: 'member',
      head: 'Member',
      cell: row =>
        'userId' in row ? <Member projectId={projectId} member={row} /> : <Invited invitation={row} />,
    },
    {
      id: 'role',
      head: 'Role',
      width: hasRoles ? '13%' : '16%',
      cell: row =>
        'userId' in row ? (
          <Role member={row} setRole={hasRoles ? setRole : undefined} />
        ) : (
          <span className={css.quiet}>{homeRoleWords[row.role]}</span>
        ),
    },
    ...(hasRoles ? rightColumns.map(right => rightColumn(right, deviceCount)) : []),
    ...(hasRoles ? [] : [joined]),
    {
      id: 'seen',
      head: 'Last seen',
      ...(hasRoles && { isWide: true }),
      width: '12%',
      cell: row => (
        <span className={css.when}>
          {'userId' in row ? row.suspended ? 'suspended' : <TimeAgo time={row.lastSeenAt} /> : '–'}
        </span>
      ),
    },
  ];
}

const joined: Column<MemberRow> = {
  id: 'joined',
  head: 'Joined',
  width: '16%',
  cell: row => (
    <span className={css.quiet}>{'userId' in row ? <TimeAgo time={row.joinedAt} /> : 'invited'}</span>
  ),
};

function rightColumn(right: (typeof rightColumns)[number], deviceCount: number): Column<MemberRow> {
  const head = `${right.charAt(0).toUpperCase()}${right.slice(1)}`;
  return {
    id: right,
    head,
    // In a narrow table the role says enough, and the name needs the space.
    isWide: true as const,
    width: '8%',
    cell: row => {
      if (!('userId' in row)) return null;
      if (row.guest) return <span className={css.share}>{guestShare(row.guest, right, deviceCount)}</span>;
      return (
        <span className={css.right}>
          {row.rights.includes(right) ? <CheckIcon /> : <span aria-hidden="true">–</span>}
          <span className="visuallyHidden">{row.rights.includes(right) ? 'yes' : 'no'}</span>
        </span>
      );
    },
  };
}

function Member({ projectId, member }: { projectId: string; member: HomeMember }) {
  const { userId, name, email } = member;
  return (
    <Link className={css.person} to="/projects/$projectId/users/$userId" params={{ projectId, userId }}>
      <PersonCell person={{ id: userId, name, email }} />
    </Link>
  );
}

function Invited({ invitation: { email, expiresAt } }: { invitation: HomeInvitation }) {
  const now = useNow();
  return (
    <span className={css.invited}>
      <span className={css.envelope} aria-hidden="true">
        <MailIcon size={14} />
      </span>
      <TwoLines strong main={email} sub={`invited, ${durationText(Date.parse(expiresAt) - now)} left`} />
    </span>
  );
}

const choices = ['admin', 'member', 'guest'] as const;

/** The owner stays the owner until the home is transferred; the other roles can be changed in place. */
function Role({ member, setRole }: { member: HomeMember; setRole: SetRole | undefined }) {
  const { role, guest, userId, name, email } = member;
  const word = homeRoleWords[role];
  if (role === 'owner') return <span className={css.fixedRole}>{word}</span>;
  return (
    <span className={css.roleCell}>
      {setRole ? (
        <Menu
          label={`Role of ${personName({ id: userId, name, email })}:`}
          trigger={
            <>
              {word}
              <ChevronDownIcon size={14} />
            </>
          }
          triggerClass={css.role}
          items={choices.map(one => ({
            label: homeRoleWords[one],
            note: one === role && <CheckIcon size={14} />,
            run: () => {
              if (one !== role) setRole(member, one);
            },
          }))}
        />
      ) : (
        word
      )}
      {guest && <GuestUntil guest={guest} />}
    </span>
  );
}

function GuestUntil({ guest }: { guest: NonNullable<HomeMember['guest']> }) {
  const now = useNow();
  const state = windowState(guest, now);
  const said = { over: 'ended', ahead: 'begins', open: 'ends' }[state];
  const at = state === 'ahead' ? guest.from : guest.until;
  if (!at) return null;
  return (
    <small className={css.small}>
      {said} <TimeAgo time={at} />
    </small>
  );
}
