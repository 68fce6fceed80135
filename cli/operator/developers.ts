import { email as emailShape } from '#contract/shapes.ts';
import { invite } from '#server/accounts/developers/invite.ts';
import {
  type DeveloperRow,
  dropEmailChange,
  findByEmail,
  setProjectLimit,
  setSuspended,
} from '#server/accounts/developers/store.ts';
import { normalEmail } from '#server/accounts/identity/email.ts';
import { endAccessTokens } from '#server/api/sessions/accessToken.ts';
import { endSessions } from '#server/api/sessions/session.ts';
import { publishSessionsChanged } from '#server/api/sessions/sessionNotices.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { counted } from './backup/progress.ts';
import { auditOperator } from './platform.ts';
import { type Command, columns, readWords, UsageFault } from './words.ts';

export const developerCommands: Command[] = [
  {
    name: 'developer list',
    usage: 'developer list <org>',
    says: 'lists the developers of an organization',
    async run({ db }, words) {
      const org = readWords(words, 1, []).plain[0] ?? '';
      const rows = await db.many<Record<'id' | 'email' | 'name' | 'state' | 'max', string>>(sql`
        select id, email, name, max_projects::text as max, case when suspended then 'suspended'
          when password_hash is null then 'invited' when verified then 'verified' else 'unverified' end as state
        from developers where org_id = ${org} order by email limit 10000`);
      return columns([
        ['ID', 'E-MAIL', 'NAME', 'STATE', 'MAX PROJECTS'],
        ...rows.map(row => [row.id, row.email, row.name, row.state, row.max]),
      ]);
    },
  },
  {
    name: 'developer invite',
    usage: 'developer invite <org> <e-mail>',
    says: 'sends an invitation to create an account, even if the organization is closed',
    async run(platform, words) {
      const [org = '', text = ''] = readWords(words, 2, []).plain;
      const { data: email } = emailShape.safeParse(text);
      if (email === undefined) throw new UsageFault(`${text} is not an e-mail address.`);
      const found = await platform.db.one(sql`select 1 as found from organizations where id = ${org}`);
      if (!found) throw new UsageFault(`Organization ${org} does not exist.`);
      await platform.db.tx(async db => {
        const given = { orgId: org, email: normalEmail(email) };
        if (!(await invite(db, platform, given))) throw new UsageFault(`${email} already has an account.`);
        const entry = { orgId: org, action: 'inviteDeveloper', text: `Developer ${given.email} invited` };
        await auditOperator(db, platform, entry);
      });
      return [`${email} is invited. The running platform sends the e-mail.`];
    },
  },
  {
    name: 'developer suspend',
    usage: 'developer suspend <org> <e-mail>',
    says: 'ends all sessions of a developer and prevents sign-in',
    run: (platform, words) =>
      change(platform, words, 'suspended', async (db, { id }) => {
        await setSuspended(db, id, true);
      }),
  },
  {
    name: 'developer resume',
    usage: 'developer resume <org> <e-mail>',
    says: 'lets a suspended developer sign in again',
    run: (platform, words) =>
      change(platform, words, 'resumed', async (db, row) => {
        const { id } = row;
        // Sessions, access tokens and what was begun before the suspension must not become valid again.
        await endSessions(db, id);
        await endAccessTokens(db, id);
        await dropEmailChange(db, row);
        await setSuspended(db, id, false);
      }),
  },
  {
    name: 'developer limit',
    usage: 'developer limit <org> <e-mail> <projects>',
    says: 'sets how many projects an account can have, including the sample',
    async run(platform, words) {
      const [org = '', email = '', text = ''] = readWords(words, 3, []).plain;
      if (!/^\d{1,6}$/.test(text)) throw new UsageFault(`${text} is not a number.`);
      return change(
        platform,
        [org, email],
        `limited to ${counted(Number(text), 'project')}`,
        async (db, { id }) => {
          await setProjectLimit(db, id, Number(text));
        },
      );
    },
  },
];

async function change(
  platform: Platform,
  words: string[],
  what: string,
  work: (db: Db, row: DeveloperRow) => Promise<void>,
): Promise<string[]> {
  const [org = '', email = ''] = readWords(words, 2, []).plain;
  const row = await platform.db.tx(async db => {
    const found = await findByEmail(db, org, normalEmail(email));
    if (!found) throw new UsageFault(`Developer ${email} does not exist in ${org}.`);
    await work(db, found);
    const text = `Developer ${found.email} ${what}`;
    await auditOperator(db, platform, { orgId: org, subject: found.id, action: 'editDeveloper', text });
    return found;
  });
  publishSessionsChanged(platform, row.id);
  return [`${row.email} ${what}.`];
}
