import { hasJoined, mailTo } from '#server/accounts/developers/mailTo.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { type Says, writeLetter } from '#server/mail/sending/letter.ts';
import { link } from '#server/mail/sending/mailLinks.ts';
import { greeting, inert } from '#server/mail/sending/names.ts';

export interface Stopped {
  projectId: string;
  id: string;
  because: string;
}

/** E-mails the owners and developers of a project that one of its modules has stopped working. */
export function notifyTeam(
  db: Db,
  platform: Platform,
  { projectId, id, because, what }: Stopped & { what: 'parked' | 'suspended' },
): Promise<void> {
  return mailTeam(db, platform, { projectId, id }, project => ({
    subject: `Smart module ${inert(id)} was ${what}`,
    before: [
      `The platform ${what} the smart module ${inert(id)} of the project ${project}: ${because}.`,
      what === 'parked'
        ? 'Its runs wait, up to a limit. Find out why it fails, then recover or resume it.'
        : 'It receives no events until someone resumes it.',
    ],
  }));
}

/** E-mails the owners and developers of a module's project. */
export async function mailTeam(
  db: Db,
  platform: Platform,
  { projectId, id }: { projectId: string; id: string },
  says: (project: string) => Pick<Says, 'subject' | 'before' | 'facts'>,
): Promise<void> {
  const people = await db.many<{ orgId: string; email: string; name: string; project: string }>(sql`
    select d.org_id as "orgId", d.email, d.name, p.name as project
    from project_members m join developers d on d.id = m.developer_id and ${hasJoined}
    join projects p on p.id = m.project_id and p.deleted_at is null
    where m.project_id = ${projectId} and m.role in ('owner', 'developer') order by d.id limit 50`);
  const path = `/projects/${encodeURIComponent(projectId)}/smart_modules/${encodeURIComponent(id)}`;
  for (const { orgId, email, name, project } of people) {
    const { before, ...said } = says(inert(project));
    await mailTo(db, platform, { orgId, email }, baseUrl =>
      writeLetter({
        ...said,
        before: [greeting(name), ...before],
        button: { label: 'Open smart module', url: link(baseUrl, path) },
      }),
    );
  }
}
