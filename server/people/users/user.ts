import type { HomeRole } from '#contract/home.ts';
import type { User, UserRow, UserState } from '#contract/user.ts';
import { dayMs } from '#rules/time/durations.ts';
import type { Resource } from '#server/api/access/access.ts';
import { findInProject } from '#server/api/access/inProject.ts';
import { byName } from '#server/infra/db/rows.ts';
import { type Db, raw, type Sql, sql } from '#server/infra/db/sql.ts';
import { failedSignInsSince } from './failedSignIns.ts';

interface CommonRow {
  id: string;
  email: string | null;
  name: string;
  externalId: string | null;
  state: UserState;
  verifiedAt: Date | null;
  suspended: boolean;
  lastSeenAt: Date | null;
  createdAt: Date;
  revision: number;
}

export interface ListedUser extends CommonRow {
  homes: { id: string; name: string; role: HomeRole }[];
  homeCount: number;
  deviceCount: number;
  signsInWith: string[];
}

interface FullUser extends CommonRow {
  projectId: string;
  language: string | null;
  createdIn: string | null;
  passwordSetAt: Date | null;
  passwordIsInitial: boolean;
  /** Number of days after which the project requires a new password. */
  passwordMaxAgeDays: number | null;
  methods: { methodId: string; label: string; linkedAt: string }[];
  failedSignIns: number;
}

/** Columns of `users u`. */
const common = sql`
  u.id, u.email, u.name, u.external_id as "externalId", u.state, u.verified_at as "verifiedAt", u.suspended,
  u.last_seen_at as "lastSeenAt", u.created_at as "createdAt", u.revision`;

const homesShown = 2;

/** A guest has the listed devices, other members all devices of the home. */
const deviceCount = sql`(
  select coalesce(sum(case when m.role = 'guest'
    then (select count(*) from home_guest_devices g
      where g.project_id = m.project_id and g.home_id = m.home_id and g.user_id = m.user_id)
    else (select count(*) from devices d where d.project_id = m.project_id and d.home_id = m.home_id) end), 0)::int
  from home_members m where m.project_id = u.project_id and m.user_id = u.id)`;

/** Columns of a row in the list: each lookup uses an index, and runs only for the rows of the page. */
export const listedColumns: Sql = sql`
  ${common},
  (select count(*)::int from home_members m where m.project_id = u.project_id and m.user_id = u.id) as "homeCount",
  (select coalesce(json_agg(h), '[]') from (
    select h.id::text, h.name, m.role from home_members m
    join homes h on h.project_id = m.project_id and h.id = m.home_id
    where m.project_id = u.project_id and m.user_id = u.id
    order by ${raw(byName('h.name'))}, h.id limit ${homesShown}) h) as homes,
  ${deviceCount} as "deviceCount",
  array_remove(array[case when u.password_hash is not null then 'password' end,
    case when u.external_id is not null then 'byou' end], null) || array(
      select i.method_id from user_identities i where i.project_id = u.project_id and i.user_id = u.id
      order by i.linked_at, i.method_id) as "signsInWith"`;

const fullColumns = (now: Date): Sql => sql`
  ${common}, u.project_id as "projectId", u.language, u.created_in as "createdIn",
  (select coalesce(json_agg(json_build_object('methodId', i.method_id, 'label', m.label, 'linkedAt', i.linked_at)
      order by i.linked_at, i.method_id), '[]')
    from user_identities i join user_auth_methods m on m.project_id = i.project_id and m.id = i.method_id
    where i.project_id = u.project_id and i.user_id = u.id) as methods,
  u.password_set_at as "passwordSetAt", u.password_is_initial as "passwordIsInitial",
  ${failedSignInsSince(now)} as "failedSignIns",
  (select (p.user_password_policy ->> 'maxAge')::int from projects p where p.id = u.project_id) as "passwordMaxAgeDays"`;

declare module '#server/api/access/access.ts' {
  interface Rows {
    user: User;
  }
}

export const userResource: Resource<User> = {
  notFound: 'USER_NOT_FOUND',
  async find(db, { userId = '' }, caller) {
    return findInProject(db, caller, {
      columns: fullColumns(caller.now),
      from: sql`users u`,
      alias: 'u',
      where: sql`u.id = ${userId}`,
      as: toUser,
    });
  },
};

/** An end user as developers and back ends see them. */
export async function findUser(
  db: Db,
  { projectId, id, now }: { projectId: string; id: string; now: Date },
): Promise<User | undefined> {
  const row = await db.one<FullUser>(sql`
    select ${fullColumns(now)} from users u where u.project_id = ${projectId} and u.id = ${id}`);
  return row && toUser(row);
}

export function toListed(row: ListedUser): UserRow {
  const { homes, homeCount, deviceCount, signsInWith } = row;
  return { ...toCommon(row), homes, homeCount, deviceCount, signsInWith };
}

function toUser(row: FullUser): User {
  const { projectId, language, verifiedAt, createdIn, passwordSetAt, methods, failedSignIns } = row;
  return {
    ...toCommon(row),
    projectId,
    ...(language !== null && { language }),
    ...(verifiedAt && { verifiedAt: verifiedAt.toISOString() }),
    ...(createdIn !== null && { createdIn }),
    ...(passwordSetAt && { password: passwordOf(passwordSetAt, row) }),
    methods: methods.map(method => ({ ...method, linkedAt: new Date(method.linkedAt).toISOString() })),
    failedSignIns,
  };
}

function passwordOf(
  setAt: Date,
  { passwordMaxAgeDays: days, passwordIsInitial }: FullUser,
): User['password'] {
  const expiresAt = days === null ? undefined : new Date(setAt.getTime() + days * dayMs);
  return {
    setAt: setAt.toISOString(),
    ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
    ...(passwordIsInitial && { isInitial: true as const }),
  };
}

function toCommon(row: CommonRow) {
  const { id, email, name, externalId, state, verifiedAt, suspended, lastSeenAt, createdAt, revision } = row;
  return {
    id,
    ...(email !== null && { email }),
    name,
    ...(externalId !== null && { externalId }),
    state,
    verified: verifiedAt !== null,
    suspended,
    ...(lastSeenAt && { lastSeenAt: lastSeenAt.toISOString() }),
    createdAt: createdAt.toISOString(),
    revision,
  };
}
