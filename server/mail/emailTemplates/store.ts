import { type EmailTemplate, type EmailTemplateId, emailTemplateIds } from '#contract/emailTemplate.ts';
import type { Role } from '#contract/endpoint.ts';
import type { Project } from '#contract/project.ts';
import type { Resource } from '#server/api/access/access.ts';
import type { PageAsked } from '#server/api/endpoints/route.ts';
import { type Db, empty, sql } from '#server/infra/db/sql.ts';
import { defaultTemplates, isInUse } from './defaultTemplates.ts';
import { variables } from './variables.ts';

declare module '#server/api/access/access.ts' {
  interface Rows {
    emailTemplate: EmailTemplate;
  }
}

export const emailTemplateResource: Resource<EmailTemplate> = {
  notFound: 'RESOURCE_NOT_FOUND',
  notFoundMessage: 'Email template not found.',
  async find(db, { projectId = '', templateId }, { developerId, lock }) {
    // Locks the project's row instead, because a template that was never changed has no row of its own.
    const project = await projectOf(db, projectId, developerId, lock);
    const id = emailTemplateIds.find(known => known === templateId);
    if (!project || !id || !isInUse(id, project)) return undefined;
    const template = toTemplate(id, await changeOf(db, projectId, id), project);
    return { projectId, orgId: project.orgId, role: project.role, row: template };
  },
};

/** What a project decides about its templates, and the developer's role in it. */
function projectOf(db: Db, projectId: string, developerId: string, lock: boolean) {
  return db.one<OfProject & { orgId: string; role: Role | null }>(sql`
    select p.id, p.org_id as "orgId", p.name, p.user_account_mode as "userAccountMode",
      p.restrict_user_reg as "restrictUserReg",
      p.permission_based_access_control as "enablePermissionBasedAccessControl",
      (select m.role from project_members m where m.project_id = p.id and m.developer_id = ${developerId}) as role
    from projects p where p.id = ${projectId} and p.deleted_at is null ${lock ? sql`for update` : empty}`);
}

type OfProject = Pick<
  Project,
  'id' | 'name' | 'userAccountMode' | 'restrictUserReg' | 'enablePermissionBasedAccessControl'
>;

/** The templates that the project can use, in the order of the contract. */
export async function templatesOf(db: Db, project: OfProject): Promise<EmailTemplate[]> {
  const changes = await changesOf(db, project.id);
  return emailTemplateIds
    .filter(id => isInUse(id, project))
    .map(id => toTemplate(id, changes.find(change => change.id === id) ?? unchanged, project));
}

/** Pages in memory, because there are so few templates. */
export function pageOfAll(all: EmailTemplate[], { limit, skip, search = '', descending }: PageAsked) {
  const wanted = asSearched(search);
  const found = all.filter(({ name, description, subject }) =>
    asSearched(`${name} ${description} ${subject}`).includes(wanted),
  );
  const ordered = descending ? found.toReversed() : found;
  return { items: ordered.slice(skip, skip + limit), total: found.length };
}

/** Normalizes as `search_text` does: without accents and case. */
const asSearched = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** The text of an e-mail in this project. */
export async function contentOf(db: Db, projectId: string, id: EmailTemplateId): Promise<Content> {
  return toContent(id, await changeOf(db, projectId, id));
}

interface Content {
  subject: string;
  body: string;
}

interface Change {
  /** Null if it is the default. */
  subject: string | null;
  body: string | null;
  revision: number;
}

const unchanged: Change = { subject: null, body: null, revision: 1 };

function changesOf(db: Db, projectId: string): Promise<(Change & { id: string })[]> {
  return db.many(sql`
    select id, subject, body, revision from email_templates where project_id = ${projectId}`);
}

async function changeOf(db: Db, projectId: string, id: EmailTemplateId): Promise<Change> {
  const row = await db.one<Change>(sql`
    select subject, body, revision from email_templates where project_id = ${projectId} and id = ${id}`);
  return row ?? unchanged;
}

/** Stores a text, with null where it equals the default, and returns its revision. */
export async function storeTemplate(
  db: Db,
  projectId: string,
  { id, ...given }: Content & { id: EmailTemplateId },
): Promise<number> {
  const subject = given.subject === defaultTemplates[id].subject ? null : given.subject;
  const body = given.body === defaultTemplates[id].body ? null : given.body;
  const row = await db.one<{ revision: number }>(sql`
    insert into email_templates as t (project_id, id, subject, body, revision)
    values (${projectId}, ${id}, ${subject}, ${body}, ${unchanged.revision + 1})
    on conflict (project_id, id) do update
    set subject = excluded.subject, body = excluded.body, revision = t.revision + 1
    returning revision`);
  return row?.revision ?? unchanged.revision;
}

function toContent(id: EmailTemplateId, { subject, body }: Change): Content {
  return { subject: subject ?? defaultTemplates[id].subject, body: body ?? defaultTemplates[id].body };
}

function toTemplate(id: EmailTemplateId, change: Change, project: { name: string }): EmailTemplate {
  const { name, description, subject, body, variables: names } = defaultTemplates[id];
  return {
    id,
    name,
    description,
    ...toContent(id, change),
    variables: names.map(variable => ({
      name: variable,
      description: variables[variable].description,
      sample: variable === 'project.name' ? project.name : variables[variable].sample,
    })),
    changed: change.subject !== null || change.body !== null,
    default: { subject, body },
    revision: change.revision,
  };
}
