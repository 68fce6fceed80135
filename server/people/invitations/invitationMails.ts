import type { HomeRole } from '#contract/home.ts';
import { invitationDays } from '#rules/time/lifetimes.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { renderEmailTemplate } from '#server/mail/emailTemplates/renderEmailTemplate.ts';
import { type NoticeText, renderNotice } from '#server/mail/emailTemplates/renderNotice.ts';
import { queueMail } from '#server/mail/sending/queueMail.ts';

interface About {
  projectId: string;
  homeId: string;
  email: string;
  role: HomeRole;
  /** The end user who invites or adds; absent for the developer or a back end. */
  byUser?: string | undefined;
}

const can: Readonly<Record<HomeRole, string>> = {
  owner: 'You will own it.',
  admin: 'You will be able to control and set up everything in it, and to invite others.',
  member: 'You will be able to see and control everything in it.',
  guest: 'You will be able to use the devices you are given access to.',
};

const by = '{% if inviter.name %}{{ inviter.name }} invited you{% else %}You are invited{% endif %}';

const invitation = (role: HomeRole): NoticeText => ({
  heading: `${by} to {{ home.name }}`,
  before: [`${by} to share the home {{ home.name }} in {{ project.name }}. ${can[role]}`],
  button: 'Accept invitation',
  after: [
    'The link works once and expires in {{ link.validFor }}.',
    'If you were not expecting this invitation, you can ignore this e-mail.',
  ],
});

const addition = (role: HomeRole): NoticeText => ({
  heading: 'You are now a member of {{ home.name }}',
  before: [
    'Hello {{ user.name }},',
    `You were added to the home {{ home.name }} in {{ project.name }}. ${can[role]} It appears in the app the next time you open it.`,
  ],
  after: ['If you were not expecting this, you can leave the home in the app.'],
});

/** With legacy access control, uses the project's template; with roles, uses the text of the platform. */
export async function mailInvitation(db: Db, platform: Platform, about: About, url: string): Promise<void> {
  const words = await wordsOf(db, about);
  if (!words) return;
  const { hasRoles, ...data } = words;
  const all = { ...data, 'link.url': url, 'link.validFor': `${invitationDays} days` };
  const letter = hasRoles
    ? await renderNotice(invitation(about.role), all)
    : await renderEmailTemplate(db, about.projectId, 'home-member-invite', all);
  await queueMail(db, platform, { to: about.email, letter, namesUser: about.byUser });
}

/** Sends the e-mail to a user who was added without an invitation. */
export async function mailAddition(db: Db, platform: Platform, about: About): Promise<void> {
  const words = await wordsOf(db, about);
  if (!words) return;
  const { hasRoles, ...data } = words;
  const letter = hasRoles
    ? await renderNotice(addition(about.role), data)
    : await renderEmailTemplate(db, about.projectId, 'home-member-notify', data);
  await queueMail(db, platform, { to: about.email, letter, namesUser: about.byUser });
}

interface Words {
  project: string;
  home: string;
  name: string | null;
  inviter: string | null;
  hasRoles: boolean;
}

/** Undefined if users get their e-mails from the developer's own back end. */
async function wordsOf(db: Db, { projectId, homeId, email, byUser }: About) {
  const row = await db.one<Words>(sql`
    select p.name as project, h.name as home, u.name, i.name as inviter,
      p.permission_based_access_control as "hasRoles"
    from homes h join projects p on p.id = h.project_id
    left join users u on u.project_id = p.id and u.email = ${email}
    left join users i on i.project_id = p.id and i.id = ${byUser ?? null}
    where h.project_id = ${projectId} and h.id = ${homeId} and p.user_account_mode = 'email'`);
  if (!row) return undefined;
  return {
    hasRoles: row.hasRoles,
    'project.name': row.project,
    'user.name': row.name || email,
    'user.email': email,
    'home.name': row.home,
    'inviter.name': row.inviter ?? '',
  };
}
