import { type AccessToken, accessTokensMax } from '#contract/accessToken.ts';
import type { TokenScope } from '#contract/endpoint.ts';
import { byName } from '#server/infra/db/rows.ts';
import { type Db, raw, type Sql, sql } from '#server/infra/db/sql.ts';

interface TokenRow {
  id: string;
  name: string;
  scope: TokenScope;
  /** Null: all projects. */
  projects: { id: string; name: string }[] | null;
  start: string;
  createdAt: Date;
  expiresAt: Date;
  lastUsedAt: Date | null;
  lastUsedFrom: string | null;
}

/** Newest first. */
export async function tokensOf(db: Db, developerId: string): Promise<AccessToken[]> {
  const rows = await select(db, sql`t.developer_id = ${developerId}`);
  return rows.map(toAccessToken);
}

export async function findAccessToken(
  db: Db,
  developerId: string,
  id: string,
): Promise<AccessToken | undefined> {
  const [row] = await select(db, sql`t.developer_id = ${developerId} and t.id = ${id}`);
  return row && toAccessToken(row);
}

/** Of a token's projects, only those that the developer is still in are returned. */
function select(db: Db, where: Sql): Promise<TokenRow[]> {
  return db.many<TokenRow>(sql`
    select t.id, t.name, t.scope, t.start, t.created_at as "createdAt", t.expires_at as "expiresAt",
      t.last_used_at as "lastUsedAt", t.last_used_from as "lastUsedFrom",
      case when t.project_ids is not null then array(
        select jsonb_build_object('id', p.id, 'name', p.name) from projects p
        join project_members m on m.project_id = p.id and m.developer_id = t.developer_id
        where p.id = any(t.project_ids) and p.deleted_at is null order by ${raw(byName('p.name'))}, p.id) end as projects
    from access_tokens t where ${where} order by t.created_at desc, t.id limit ${accessTokensMax}`);
}

function toAccessToken(row: TokenRow): AccessToken {
  const { projects, createdAt, expiresAt, lastUsedAt, lastUsedFrom, ...rest } = row;
  return {
    ...rest,
    ...(projects && { projects }),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    ...(lastUsedAt && { lastUsedAt: lastUsedAt.toISOString() }),
    ...(lastUsedFrom && { lastUsedFrom }),
  };
}
