import { hasJoined } from '#server/accounts/developers/mailTo.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { ActionOf } from './actions.ts';

const recipientsMax = 50;

/** A person who gets an e-mail of a rule. */
export interface Recipient {
  email: string;
  /** Of an end user, who can unsubscribe. */
  userId?: string;
}

type To = Pick<ActionOf<'email'>, 'to' | 'addresses'>;

/** True for an e-mail to developers: it leads to the module, and others get one that they can unsubscribe from. */
export const isForTeam = ({ to }: Pick<To, 'to'>): boolean => to === 'team' || to === 'addresses';

/** The people of the project or of the home who get an e-mail now: who has left gets no more. */
export async function recipientsOf(
  db: Db,
  { to, addresses }: To,
  at: { projectId: string; moduleId: string; homeId: string | undefined },
): Promise<Recipient[]> {
  if (to === 'team') return teamAddresses(db, at.projectId);
  if (to === 'addresses') return teamAddresses(db, at.projectId, addresses);
  return at.homeId === undefined ? [] : homeMembers(db, { ...at, homeId: at.homeId }, to);
}

/** Without addresses, the addresses of the owners and developers. */
export function teamAddresses(
  db: Db,
  projectId: string,
  addresses?: readonly string[],
): Promise<{ email: string }[]> {
  const wanted = addresses?.map(address => address.toLowerCase()) ?? null;
  return db.many<{ email: string }>(sql`
    select d.email from project_members m join developers d on d.id = m.developer_id
    where m.project_id = ${projectId} and ${hasJoined}
      and (${wanted}::text[] is null and m.role in ('owner', 'developer') or lower(d.email) = any(${wanted}::text[]))
    order by d.email limit ${recipientsMax}`);
}

const homeRoles = { owner: ['owner'], admins: ['owner', 'admin'], members: ['owner', 'admin', 'member'] };

function homeMembers(
  db: Db,
  { projectId, moduleId, homeId }: { projectId: string; moduleId: string; homeId: string },
  to: keyof typeof homeRoles,
): Promise<Recipient[]> {
  return db.many<Recipient>(sql`
    select u.email, u.id as "userId" from home_members m
    join users u on u.project_id = m.project_id and u.id = m.user_id
    where m.project_id = ${projectId} and m.home_id = ${homeId} and m.role = any(${homeRoles[to]})
      and u.email is not null and u.verified_at is not null and not u.suspended
      and not exists (select from notify_refusals r
        where r.project_id = m.project_id and r.module_id = ${moduleId} and r.user_id = m.user_id)
    order by u.email limit ${recipientsMax}`);
}
