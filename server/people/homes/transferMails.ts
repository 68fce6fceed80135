import { invitationDays } from '#rules/time/lifetimes.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { type NoticeText, renderNotice } from '#server/mail/emailTemplates/renderNotice.ts';
import { queueMail } from '#server/mail/sending/queueMail.ts';

type Needs = Pick<Platform, 'sealing' | 'clock' | 'newId'>;

interface Handover {
  projectId: string;
  homeId: string;
  /** The current or former owner; `to` gets the home. */
  owner: string;
  to: string;
}

const hello = 'Hello {{ user.name }},';
const home = 'the home {{ home.name }} in {{ project.name }}';

const offered: NoticeText = {
  heading: 'You are offered the home {{ home.name }}',
  before: [hello, `{{ inviter.name }} is offering you ${home}. Accept it in the app to become its owner.`],
  after: [`The offer expires in ${invitationDays} days. If you do not want the home, decline it in the app.`],
};
const offeredByYou: NoticeText = {
  heading: 'The home {{ home.name }} was offered to someone else',
  before: [
    hello,
    `${capital(home)} was offered to {{ inviter.name }}, who will become its owner by accepting.`,
  ],
  after: ['If you do not want this, withdraw the offer in the app.'],
};
const yours: NoticeText = {
  heading: 'You now own the home {{ home.name }}',
  before: [hello, `You accepted ${home} from {{ inviter.name }} and are now its owner.`],
  after: ['You can change who its members are in the app.'],
};
const notYours: NoticeText = {
  heading: 'The home {{ home.name }} has a new owner',
  before: [hello, `{{ inviter.name }} accepted ${home} and is now its owner. You are still a member.`],
  after: ['If you did not offer the home to anyone, tell its members and change your password.'],
};

export async function mailOffer(db: Db, platform: Needs, handover: Handover): Promise<void> {
  await mail(db, platform, handover, { to: offered, owner: offeredByYou });
}

export async function mailAccepted(db: Db, platform: Needs, handover: Handover): Promise<void> {
  await mail(db, platform, handover, { to: yours, owner: notYours });
}

interface Person {
  id: string;
  name: string;
  email: string | null;
  home: string;
  project: string;
}

/** Sends an e-mail to both. Users of a developer's own back end get their e-mails from there. */
async function mail(
  db: Db,
  platform: Needs,
  { projectId, homeId, owner, to }: Handover,
  texts: { to: NoticeText; owner: NoticeText },
): Promise<void> {
  const people = await db.many<Person>(sql`
    select u.id, u.name, u.email, h.name as home, p.name as project
    from users u join homes h on h.project_id = u.project_id and h.id = ${homeId} join projects p on p.id = u.project_id
    where u.project_id = ${projectId} and u.id = any(${[owner, to]}) and p.user_account_mode = 'email'`);
  for (const { id, name, email, home, project } of people) {
    if (email === null) continue;
    const other = people.find(person => person.id !== id);
    const letter = await renderNotice(id === to ? texts.to : texts.owner, {
      'project.name': project,
      'user.name': name || email,
      'user.email': email,
      'home.name': home,
      'inviter.name': other?.name || other?.email || 'Another member',
    });
    await queueMail(db, platform, { to: email, letter, namesUser: other?.id });
  }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
