import type { LogEntry } from '#contract/log.ts';
import type { Problem } from '#contract/problem.ts';
import { isSecretField } from '#rules/secretFields.ts';
import { type Actor, appendEntry, type NewEntry } from '#server/api/logs/append.ts';
import { type Db, sql, type Transaction } from '#server/infra/db/sql.ts';
import { auditInProjects, publishToProjects } from './auditInProjects.ts';
import { namedPeople } from './namedPeople.ts';
import type { Call } from './route.ts';

type Fields = Record<string, unknown>;

/** The maximum length of a value in a sentence. */
const partMax = 200;

/** Writes the audit log entry of a change in the same transaction, so there is no change without an entry. */
export async function audit(
  call: Call,
  answer: unknown,
  { atCommit }: Pick<Transaction, 'atCommit'>,
): Promise<LogEntry | undefined> {
  const sentence = call.endpoint.audit;
  if (typeof sentence !== 'string' || isDryRun(call)) return undefined;
  const entry = entryOf(call, fill(sentence, fieldsOf(call, answer)), changesOf(call, answer), answer);
  if (!entry || !(await hasLog(call, call.db))) return undefined;
  if (call.about?.inProjects && call.about.developerId) {
    const told = await auditInProjects(call.db, call.platform, call.about.developerId, {
      ...entry,
      level: 2,
    });
    call.afterCommit(() => publishToProjects(call.platform, told));
  }
  return appendEntry({ run: async query => atCommit(query) }, call.platform, { ...entry, level: 2 });
}

/** A dry run reports what a change would do, and changes nothing. */
const isDryRun = ({ body }: Call) => (body as { dryRun?: unknown } | undefined)?.dryRun === true;

/**
 * Audits a rejected call, outside the transaction that was rolled back; with `inProjects`, also in the projects
 * of a known developer.
 */
export async function auditRefusal(
  call: Call,
  problem: Problem,
  { inProjects }: { inProjects: boolean },
): Promise<LogEntry | undefined> {
  const { audit: done, summary } = call.endpoint;
  // If the role was too weak, the input was not parsed, so the sentence cannot use it.
  const sentence =
    problem.reason === 'ROLE_TOO_LOW'
      ? (summary.split(/(?<=\.) /)[0] ?? summary)
      : fill(withoutUnknown(call, done ?? summary), fieldsOf(call, undefined));
  const fault = call.about?.fault;
  const why = { reason: problem.reason, ...(fault !== undefined && { fault }) };
  const entry = entryOf(call, `Refused (${problem.reason}): ${sentence}`, why);
  const { db } = call.platform;
  if (!entry || !(await hasLog(call, db))) return undefined;
  if (inProjects && call.about?.developerId) {
    const told = await auditInProjects(db, call.platform, call.about.developerId, { ...entry, level: 1 });
    publishToProjects(call.platform, told);
  }
  return appendEntry(db, call.platform, { ...entry, level: 1 });
}

/**
 * "Device {id} claimed for home {homeId}" → "A device claimed for home {homeId}": what a rejected POST would have made has
 * no id, and the id of the row found by the call is that of something else.
 */
function withoutUnknown({ endpoint, params, body, before, about }: Call, sentence: string): string {
  const { id } = (before ?? {}) as { id?: unknown };
  const isKnown =
    endpoint.method !== 'POST' ||
    Object.values(params as Fields).includes(id) ||
    'id' in { ...(body as Fields), ...about?.fields };
  if (isKnown) return sentence;
  return sentence.replace(/^([A-Z][a-z -]*) \{id\}/, (_, noun: string) => `A ${noun.toLowerCase()}`);
}

/** Without a session, anyone could name any organization and write to the log of someone else's project. */
async function hasLog({ projectId, about }: Call, db: Db): Promise<boolean> {
  if (projectId !== undefined || !about) return true;
  return (await db.one(sql`select 1 as found from organizations where id = ${about.orgId}`)) !== undefined;
}

function entryOf(
  call: Call,
  text: string,
  detail: Fields,
  answer?: unknown,
): Omit<NewEntry, 'level'> | undefined {
  const projectId = call.projectId ?? call.about?.orgId ?? call.session?.orgId;
  if (!projectId) return undefined;
  return {
    projectId,
    stream: 'audit',
    ts: call.now,
    subject: call.projectId ? undefined : (call.about?.developerId ?? call.session?.developerId),
    actor: actorOf(call),
    action: call.endpoint.name,
    text,
    detail: {
      ...detail,
      ...(call.app && { app: call.app.id }),
      address: call.from.address,
      requestId: call.from.requestId,
    },
    people: namedPeople(call, answer),
  };
}

/** Who makes the call, as log entries name them. */
export function actorOf({ session, about, endUser, key, app }: Call): Actor {
  if (key) return { callerType: 'projectKey', id: key.id, displayName: key.name };
  if (app) {
    const name = endUser?.name || endUser?.email || about?.displayName || about?.fields?.email || '';
    return { callerType: 'user', id: endUser?.id ?? about?.userId ?? '', displayName: name };
  }
  return {
    callerType: 'developer',
    id: session?.developerId ?? about?.developerId ?? '',
    displayName: session?.name ?? about?.displayName ?? about?.fields?.email ?? '',
    ...((session?.sudoer || about?.bySudoer) && { bySudoer: true }),
    ...(session?.token && { tokenName: session.token.name }),
  };
}

/** The values the sentence can use: the row before the change, the input, and the result. */
function fieldsOf(call: Call, answer: unknown): Fields {
  const about = { ...(call.session && { email: call.session.email }), ...call.before };
  return {
    ...about,
    ...(call.params as Fields),
    ...(call.body as Fields),
    ...(call.endpoint.raw ? undefined : (answer as Fields | undefined)),
    ...call.about?.fields,
  };
}

function fill(sentence: string, fields: Fields): string {
  return sentence.replace(/\{(\w+)\}/g, (_, name: string) =>
    isSecretField(name) ? '•••' : shortened(String(fields[name] ?? '?')),
  );
}

const shortened = (text: string) =>
  text.length > partMax ? `${text.slice(0, partMax - 1).toWellFormed()}…` : text;

/** What was created or deleted; for a change, the fields that differ, before and after. Secrets are masked. */
function changesOf(call: Call, answer: unknown): Fields {
  const { method } = call.endpoint;
  if (method === 'GET') return {};
  // Answers of account calls contain sessions, codes and secrets, so they are not audited.
  if (method === 'POST')
    return call.projectId
      ? { after: masked(call.after ?? (call.endpoint.raw ? call.body : (answer ?? call.body))) }
      : {};
  const before = call.before as Fields | undefined;
  if (!before) return {};
  if (method === 'DELETE') return { before: masked(before) };
  const after = (answer ?? {}) as Fields;
  // The answer omits a removed value, so a field that the body set to null also counts as changed.
  const isKnown = (name: string) => name in after || (call.body as Fields | undefined)?.[name] === null;
  const changed = Object.keys({ ...before, ...after }).filter(
    name => name !== 'revision' && isKnown(name) && !sameJson(before[name], after[name]),
  );
  return { before: masked(pick(before, changed)), after: masked(pick(after, changed)) };
}

function pick(fields: Fields, names: string[]): Fields {
  return Object.fromEntries(names.filter(name => name in fields).map(name => [name, fields[name]]));
}

function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, isSecretField(name) ? '•••' : masked(inner)]),
  );
}

function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
