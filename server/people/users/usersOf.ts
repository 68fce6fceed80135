import { nextCursorHeader } from '#contract/paging.ts';
import type { listUsers, UserRow, UserState } from '#contract/user.ts';
import { userStates } from '#contract/user.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import type { ListDeclaration } from '#server/infra/db/list/declaration.ts';
import { type ListAnswer, listPage } from '#server/infra/db/list/listPage.ts';
import { type Sql, sql } from '#server/infra/db/sql.ts';
import { type ListedUser, listedColumns, toListed } from './user.ts';
import { userTotal } from './userCounts.ts';

export interface UserFilter {
  projectId: string;
  state?: UserState | undefined;
  signsInWith?: string | undefined;
}

const userList: ListDeclaration<UserFilter, ListedUser, UserRow> = {
  tables: [{ name: 'users', alias: 'u', id: 'id', conditions: waysIn }],
  owner: { column: 'project_id', of: ({ projectId }) => projectId },
  idsAreGlobal: true,
  columns: listedColumns,
  toItem: toListed,
  sortable: {
    // Ids sort by creation time.
    createdAt: 'id',
    name: { column: 'u.name_order', type: 'text', isIndexed: true },
    lastSeenAt: { column: 'u.seen_order', type: 'timestamptz', isIndexed: true },
  },
  search: 'u.search',
  group: {
    column: 'state',
    of: ({ state }) => state,
    all: (_, max) => sql`select unnest(${[...userStates]}::text[]) as id limit ${max}`,
  },
  counted: ({ projectId, state }) => userTotal(projectId, state),
};

export function waysIn({ signsInWith }: UserFilter): Sql[] {
  if (signsInWith === undefined) return [];
  if (signsInWith === 'password') return [sql`u.password_hash is not null`];
  if (signsInWith === 'byou') return [sql`u.external_id is not null`];
  return [
    sql`exists (
      select from user_identities i
      where i.project_id = u.project_id and i.user_id = u.id and i.method_id = ${signsInWith})`,
  ];
}

export async function usersOf(
  call: Pick<Call<typeof listUsers>, 'query' | 'page' | 'now' | 'platform' | 'setHeader'>,
): Promise<ListAnswer<UserRow>> {
  const { page, now, platform } = call;
  const { cursor, ...filter } = call.query;
  const answer = await listPage(platform.db, userList, { filter, page, cursor, now });
  if (answer.nextCursor) call.setHeader(nextCursorHeader, answer.nextCursor);
  return answer;
}
