import type { Me } from '#contract/appApi/session.ts';
import { Problem } from '#contract/problem.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

interface MeRow {
  id: string;
  email: string | null;
  newEmail: string | null;
  name: string;
  language: string | null;
  verified: boolean;
  hasPassword: boolean;
  createdAt: Date;
}

/** An end user as the app sees them. */
export async function userForApp(db: Db, projectId: string, userId: string): Promise<Me> {
  const row = await db.one<MeRow>(sql`
    select u.id, u.email, case when s.ended_at is null then u.new_email end as "newEmail", u.name, u.language,
      u.verified_at is not null as verified, u.password_hash is not null as "hasPassword",
      u.created_at as "createdAt"
    from users u left join user_sessions s on s.project_id = u.project_id and s.id = u.new_email_session
    where u.project_id = ${projectId} and u.id = ${userId}`);
  if (!row) throw new Problem('USER_NOT_FOUND');
  const { email, newEmail, language, createdAt, ...rest } = row;
  return {
    ...rest,
    ...(email !== null && { email }),
    ...(language !== null && { language }),
    methods: await methodsOf(db, projectId, userId),
    ...(newEmail !== null && { newEmail }),
    createdAt: createdAt.toISOString(),
  };
}

async function methodsOf(db: Db, projectId: string, userId: string): Promise<Me['methods']> {
  const rows = await db.many<{ methodId: string; label: string; linkedAt: Date }>(sql`
    select i.method_id as "methodId", m.label, i.linked_at as "linkedAt"
    from user_identities i join user_auth_methods m on m.project_id = i.project_id and m.id = i.method_id
    where i.project_id = ${projectId} and i.user_id = ${userId} order by i.linked_at`);
  return rows.map(({ linkedAt, ...row }) => ({ ...row, linkedAt: linkedAt.toISOString() }));
}
