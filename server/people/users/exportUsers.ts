import { Readable } from 'node:stream';
import type { exportUsers } from '#contract/user.ts';
import type { RawAnswer } from '#server/api/endpoints/answer.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { csvFile } from '#server/infra/csv.ts';
import { contains } from '#server/infra/db/contains.ts';
import { type Database, join, type Sql, sql } from '#server/infra/db/sql.ts';
import { type ListedUser, listedColumns, toListed } from './user.ts';
import { type UserFilter, waysIn } from './usersOf.ts';

const rowsAtOnce = 1000;

/** The columns of the file, in order. An absent value is an empty cell in CSV. */
const columns = [
  'id',
  'email',
  'name',
  'externalId',
  'state',
  'verified',
  'suspended',
  'language',
  'signsInWith',
  'homeCount',
  'deviceCount',
  'lastSeenAt',
  'createdAt',
] as const;
type ExportedUser = {
  [column in (typeof columns)[number]]?: string | number | boolean | readonly string[] | undefined;
};

/** The users that the list finds, streamed with backpressure: at most one page is in memory. */
export async function exportFound(call: Call<typeof exportUsers>): Promise<RawAnswer> {
  const { platform, params, query, me } = call;
  const { format, search, ...filter } = query;
  call.about = { orgId: me.orgId, fields: { which: whichOf(query) } };
  const pages = pagesOf(platform.db, { ...filter, projectId: params.projectId }, search?.trim());
  const isCsv = format === 'csv';
  return {
    contentType: isCsv ? 'text/csv; charset=utf-8; header=present' : 'application/x-ndjson; charset=utf-8',
    filename: `users-${params.projectId}.${format}`,
    body: Readable.from(isCsv ? csvFile(pages, columns, cellText) : asJsonLines(pages), {
      objectMode: false,
    }),
  };
}

/** For the audit log: never the search text, which may be the name or address of a user who is erased later. */
function whichOf({ state, signsInWith, search, format }: Call<typeof exportUsers>['query']): string {
  const parts = [state, signsInWith && `signing in with ${signsInWith}`, search?.trim() && 'by a search'];
  return `${parts.filter(Boolean).join(', ') || 'all'}, ${format}`;
}

interface Row extends ListedUser {
  language: string | null;
}

async function* pagesOf(
  db: Database,
  filter: UserFilter,
  search: string | undefined,
): AsyncGenerator<ExportedUser[]> {
  const { projectId, state } = filter;
  const conditions: Sql[] = [sql`u.project_id = ${projectId}`, ...waysIn(filter)];
  if (state !== undefined) conditions.push(sql`u.state = ${state}`);
  if (search) conditions.push(contains(sql`u.search`, search));
  for (let after = ''; ; ) {
    const rows = await db.search<Row>(sql`
      select ${listedColumns}, u.language from users u
      where ${join(conditions, ' and ')} and u.id > ${after} order by u.id limit ${rowsAtOnce}`);
    if (rows.length > 0) yield rows.map(toExported);
    if (rows.length < rowsAtOnce) return;
    after = rows.at(-1)?.id ?? '';
  }
}

function toExported({ language, ...row }: Row): ExportedUser {
  const { homes: _, revision: _revision, ...user } = toListed(row);
  return { ...user, ...(language !== null && { language }) };
}

async function* asJsonLines(pages: AsyncIterable<ExportedUser[]>): AsyncGenerator<string> {
  for await (const users of pages) {
    const lines = users.map(user =>
      JSON.stringify(Object.fromEntries(columns.map(column => [column, user[column]]))),
    );
    yield `${lines.join('\n')}\n`;
  }
}

const cellText = (value: ExportedUser[(typeof columns)[number]]) =>
  Array.isArray(value) ? value.join(' ') : String(value ?? '');
