import { consoleUrl } from '#server/accounts/mailTo.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { writeLetter } from '#server/mail/letter.ts';
import { link } from '#server/mail/mailLinks.ts';
import { inert } from '#server/mail/names.ts';
import { queueMail } from '#server/mail/queueMail.ts';
import type { Platform } from '#server/platform.ts';
import type { Acting } from './act.ts';
import type { ActionOf } from './actions.ts';
import type { Needs } from './deviceActions.ts';
import { quietUntil } from './quietUntil.ts';

const recipientsMax = 50;
/** Per module and hour, for any number of devices. */
const mailsPerHourMax = 200;
const hourMs = 3_600_000;

type Mail = ActionOf<'email'>;

export async function mailAction(db: Db, mail: Mail, acting: Acting, { platform }: Needs): Promise<string> {
  const { module, device, now } = acting;
  const to = await recipientsOf(db, mail, acting);
  if (to.length === 0) return 'No recipients';
  await holdBack(db, acting);
  const runAt = mail.quiet && quietUntil(mail.quiet, now);
  const address = await addressOf(db, platform, module);
  const forTeam = mail.to === 'team' || mail.to === 'addresses';
  const letter = writeLetter({
    subject: mail.subject,
    before: mail.text.split(/\n{2,}/),
    facts: [['Device', inert(device.name === '' ? device.tag || device.id : device.name)]],
    ...(forTeam && { button: { label: 'Open the smart module', url: address } }),
    after: [`The smart module ${module.id} sent this e-mail.`],
  });
  for (const one of to) await queueMail(db, platform, { to: one, letter, runAt });
  const people = to.length === 1 ? to[0] : `${to.length} people`;
  return runAt ? `To ${people}, after quiet hours` : `To ${people}`;
}

async function addressOf(db: Db, platform: Platform, module: Acting['module']): Promise<string> {
  const project = await db.one<{ orgId: string }>(sql`
    select org_id as "orgId" from projects where id = ${module.projectId}`);
  const base = await consoleUrl(db, platform, project?.orgId ?? 'default');
  return link(base, `/projects/${module.projectId}/smart_modules/${module.id}`);
}

export class MailHeldBack extends Error {}

/** A rule over a whole fleet must not flood mailboxes. */
async function holdBack(db: Db, { module, now }: Acting): Promise<void> {
  const row = await db.one<{ count: number }>(sql`
    select count(*)::int as count from module_acts
    where project_id = ${module.projectId} and module_id = ${module.id} and kind = 'email'
      and at > ${new Date(now.getTime() - hourMs)}`);
  if ((row?.count ?? 0) >= mailsPerHourMax)
    throw new MailHeldBack(
      `This module has sent ${mailsPerHourMax} e-mails within an hour. This one was not sent.`,
    );
}

/** Only people of the project or of the home: an address that has left the team gets no more e-mails. */
async function recipientsOf(db: Db, mail: Mail, { module, device }: Acting): Promise<string[]> {
  const { projectId } = module;
  const rows =
    mail.to === 'team' || mail.to === 'addresses'
      ? await teamAddresses(db, projectId, mail.to === 'addresses' ? mail.addresses : undefined)
      : await homeAddresses(db, projectId, device.homeId, mail.to);
  return rows.map(({ email }) => email);
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
    where m.project_id = ${projectId} and not d.suspended
      and (${wanted}::text[] is null and m.role in ('owner', 'developer') or lower(d.email) = any(${wanted}::text[]))
    order by d.email limit ${recipientsMax}`);
}

const homeRoles = { owner: ['owner'], admins: ['owner', 'admin'], members: ['owner', 'admin', 'member'] };

async function homeAddresses(
  db: Db,
  projectId: string,
  homeId: string | undefined,
  to: keyof typeof homeRoles,
): Promise<{ email: string }[]> {
  if (homeId === undefined) return [];
  return db.many<{ email: string }>(sql`
    select u.email from home_members m
    join users u on u.project_id = m.project_id and u.id = m.user_id
    where m.project_id = ${projectId} and m.home_id = ${homeId} and m.role = any(${homeRoles[to]})
      and u.email is not null and u.verified_at is not null and not u.suspended
    order by u.email limit ${recipientsMax}`);
}
