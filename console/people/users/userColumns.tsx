import { Link } from '@tanstack/react-router';
import { PersonCell } from '#console/people/PersonCell.tsx';
import { homeRoleWords } from '#console/people/roleInHome.ts';
import clamp from '#console/ui/Clamp.module.css';
import { userStateWords, waysIn } from '#console/ui/links/personWords.ts';
import type { Column } from '#console/ui/list/Table.tsx';
import { StatePill } from '#console/ui/state/StatePill.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import type { UserRow } from '#contract/user.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './users.module.css';

interface Known {
  projectId: string;
  /** The sign-in methods of the project. */
  methods: readonly { id: string; label: string }[];
  /** Without roles, only the owner differs from the other members. */
  hasRoles: boolean;
}

/** Who the user is, whether they can sign in, their homes, their devices, and when they were last active. */
export function userColumns({ projectId, methods, hasRoles }: Known): readonly Column<UserRow>[] {
  return [
    { id: 'user', head: 'User', sort: 'name', width: '24%', cell: user => <PersonCell person={user} /> },
    {
      id: 'state',
      head: 'State',
      width: '11%',
      isShort: true,
      cell: ({ state }) => <StatePill shape="lines" {...userStateWords[state]} />,
    },
    {
      id: 'homes',
      head: 'Homes',
      width: '22%',
      cell: user => <HomesOf user={user} projectId={projectId} hasRoles={hasRoles} />,
    },
    {
      id: 'devices',
      head: 'Devices',
      width: '8%',
      align: 'end',
      cell: ({ deviceCount }) => numberText(deviceCount),
    },
    {
      id: 'way',
      head: 'Signs in with',
      width: '12%',
      cell: ({ signsInWith }) => wayText(signsInWith, methods),
    },
    {
      id: 'seen',
      head: 'Last seen',
      sort: 'lastSeenAt',
      width: '10%',
      cell: ({ lastSeenAt }) => (
        <span className={css.when}>
          <TimeAgo time={lastSeenAt} />
        </span>
      ),
    },
    {
      id: 'created',
      head: 'Created',
      isWide: true,
      sort: 'createdAt',
      width: '10%',
      cell: ({ createdAt }) => (
        <span className={css.when}>
          <TimeAgo time={createdAt} />
        </span>
      ),
    },
  ];
}

/** "E-mail, Nordlys ID" */
function wayText(ways: readonly string[], methods: Known['methods']): string {
  const labelOf = (way: string) =>
    waysIn.find(({ value }) => value === way)?.label ?? methods.find(({ id }) => id === way)?.label ?? way;
  return ways.map(labelOf).join(', ') || '–';
}

/** The first home with the user's role, and how many more there are. */
function HomesOf({ user, projectId, hasRoles }: { user: UserRow } & Omit<Known, 'methods'>) {
  const { homes, homeCount } = user;
  const [first] = homes;
  if (!first) return <span className={css.quiet}>–</span>;
  const role = hasRoles || first.role === 'owner' ? homeRoleWords[first.role].toLowerCase() : '';
  const more = homeCount > 1 ? `${homeCount - 1} more` : '';
  return (
    <span className={css.homes}>
      <Link
        className={`${css.home} ${clamp.clamp}`}
        to="/projects/$projectId/homes/$homeId"
        params={{ projectId, homeId: first.id }}
        dir="auto"
      >
        {first.name}
      </Link>
      <span className={css.quiet}>{[role, more].filter(Boolean).join(', ')}</span>
    </span>
  );
}
