import { hourMs } from '#rules/time/durations.ts';
import { quietUntil } from '#rules/time/quietHours.ts';
import { consoleUrl } from '#server/accounts/developers/mailTo.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { type Letter, writeLetter } from '#server/mail/sending/letter.ts';
import { link } from '#server/mail/sending/mailLinks.ts';
import { inert } from '#server/mail/sending/names.ts';
import { queueMail } from '#server/mail/sending/queueMail.ts';
import { externalUsersSay, hasExternalUsers } from '#server/modules/notify/unmailedUsers.ts';
import { unsubscribeUrl } from '#server/modules/notify/unsubscribe.ts';
import type { Acting } from './act.ts';
import type { ActionOf } from './actions.ts';
import { isForTeam, type Recipient, recipientsOf } from './mailRecipients.ts';
import { countPostponed, postponeMail } from './postponedMails.ts';

/** Per module and hour, for any number of devices; as many can wait for the end of quiet hours. */
const mailsPerHourMax = 200;

/** An e-mail with its expressions replaced, about a device. */
export interface ReadyMail {
  mail: ActionOf<'email'>;
  module: { projectId: string; id: string };
  device: { name: string; homeId: string | undefined };
}

/** What became of an e-mail. `isNothing`: nobody got it, so it is not an act of the module. */
export interface Mailed {
  summary: string;
  isNothing?: boolean;
}

/** Sends an e-mail of a rule, or keeps it until quiet hours end. */
export async function mailAction(
  db: Db,
  mail: ActionOf<'email'>,
  acting: Acting & { number: number },
  platform: Platform,
): Promise<Mailed> {
  const { module, device, now } = acting;
  if (!isForTeam(mail) && (await hasExternalUsers(db, module.projectId)))
    throw new MailHeldBack(externalUsersSay);
  await holdBack(db, acting);
  const ready = { mail, module, device: { ...device, name: device.name || device.tag || device.id } };
  const until = mail.quiet && quietUntil(mail.quiet, now);
  if (!until) return sendReady(db, ready, platform);
  if ((await countPostponed(db, module)) >= mailsPerHourMax)
    throw new MailHeldBack(
      `${mailsPerHourMax} e-mails of this module already wait for the end of quiet hours. This one was not sent.`,
    );
  await postponeMail(db, platform, ready, { ...acting, until });
  return { summary: `Postponed until quiet hours end at ${mail.quiet?.to}` };
}

/** Sends an e-mail to those who are its recipients now. */
export async function sendReady(db: Db, ready: ReadyMail, platform: Platform): Promise<Mailed> {
  const { mail, module, device } = ready;
  const at = { projectId: module.projectId, moduleId: module.id, homeId: device.homeId };
  const to = await recipientsOf(db, mail, at);
  if (to.length === 0) return { summary: 'No recipients', isNothing: true };
  const address = await addressOf(db, platform, module);
  for (const one of to)
    await queueMail(db, platform, { to: one.email, letter: letterTo(one, ready, { platform, address }) });
  return { summary: to.length === 1 ? `To ${to[0]?.email}` : `To ${to.length} people` };
}

function letterTo(
  { userId }: Recipient,
  { mail, module, device }: ReadyMail,
  { platform, address }: { platform: Platform; address: string },
): Letter {
  const url = userId && unsubscribeUrl(platform, module.projectId, { moduleId: module.id, userId });
  const why = 'You receive this because you are a member of a home with this device. You can';
  const letter = writeLetter({
    subject: mail.subject,
    before: mail.text.split(/\n{2,}/),
    facts: [['Device', inert(device.name)]],
    ...(isForTeam(mail) && { button: { label: 'Open the smart module', url: address } }),
    after: url
      ? [{ text: why, link: { label: 'unsubscribe', url } }]
      : [`The smart module ${module.id} sent this e-mail.`],
  });
  return url ? { ...letter, unsubscribeUrl: url } : letter;
}

async function addressOf(db: Db, platform: Platform, module: ReadyMail['module']): Promise<string> {
  const project = await db.one<{ orgId: string }>(sql`
    select org_id as "orgId" from projects where id = ${module.projectId}`);
  const base = await consoleUrl(db, platform, project?.orgId ?? 'default');
  return link(base, `/projects/${module.projectId}/smart_modules/${module.id}`);
}

/** The e-mail was not sent, and would not be by another attempt. */
export class MailHeldBack extends Error {}

/** A rule over a whole fleet must not flood mailboxes. Tests and e-mails that still wait do not count. */
async function holdBack(db: Db, { module, now, isTest }: Acting): Promise<void> {
  if (isTest) return;
  const row = await db.one<{ count: number }>(sql`
    select count(*)::int as count from module_acts a
    where a.project_id = ${module.projectId} and a.module_id = ${module.id} and a.kind = 'email' and not a.is_test
      and a.at > ${new Date(now.getTime() - hourMs)} and not exists (
        select from postponed_mails p
        where p.project_id = a.project_id and p.run_id = a.run_id and p.number = a.number)`);
  if ((row?.count ?? 0) >= mailsPerHourMax)
    throw new MailHeldBack(
      `This module has sent ${mailsPerHourMax} e-mails within an hour. This one was not sent.`,
    );
}
