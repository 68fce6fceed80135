import { createHash, randomBytes } from 'node:crypto';
import { verify } from '@node-rs/argon2';
import fastify from 'fastify';
import pg from 'pg';
import { deviceRoutes } from './devices.ts';
import { serviceRoutes } from './service.ts';

/**
 * The reference that our server is measured against: bare Fastify and `pg` with the same SQL. It looks up the session
 * on every call, checks membership, and writes an audit row for a change, but does no parsing and has no limits or
 * reasons.
 */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
const app = fastify();

const sessionSql = `
  select s.id, s.hash, s.created_at, s.last_used_at, s.expires_at, s.proved_at, s.sudoer, d.id as developer, d.org_id, d.name,
    d.email, d.verified, d.suspended, o.require_two_factor and not d.totp_active as missing
  from sessions s join developers d on d.id = s.developer_id join organizations o on o.id = d.org_id where s.hash = $1`;
const projectSql = `
  select p.*, (select m.role from project_members m where m.project_id = p.id and m.developer_id = $2) as role
  from projects p where p.id = $1 and p.deleted_at is null`;
const listSql = `
  select p.*, m.role, count(*) over () as total from project_members m join projects p on p.id = m.project_id
  where m.developer_id = $1 and p.deleted_at is null order by lower(p.name), p.id limit 25`;

const userSessionSql = `
  select u.id, u.project_id, u.name, u.email, u.verified_at is not null as verified, s.id as session_id, s.proved_at
  from user_tokens t join user_sessions s on s.project_id = t.project_id and s.id = t.session_id
  join users u on u.project_id = s.project_id and u.id = s.user_id
  join apps a on a.project_id = s.project_id and a.id = s.app_id join projects p on p.id = a.project_id
  where t.hash = $1 and t.kind = 'access' and t.expires_at > now() and s.ended_at is null and not u.suspended
    and p.deleted_at is null`;
const httpLogSql = `
  insert into log_entries (project_id, stream, ts, id, level, subject, actor, action, text, detail)
  values ($1, 'http', $2, $3, 2, null, $4, 'GET /me', 'GET /me 200', '{}')`;
const meSql = `
  select id, email, new_email, name, language, verified_at is not null as verified,
    password_hash is not null as has_password, created_at
  from users where id = $1`;

async function session(cookie: string | undefined): Promise<{ developer: string; org_id: string }> {
  const token = /mooring=([\w-]+)/.exec(cookie ?? '')?.[1] ?? '';
  const hash = createHash('sha256').update(token).digest();
  const { rows } = await pool.query({ name: 'session', text: sessionSql, values: [hash] });
  if (!rows[0]) throw new Error('no session');
  return rows[0];
}

app.get<{ Params: { id: string } }>('/api/projects/:id', async request => {
  const { developer } = await session(request.headers.cookie);
  const { rows } = await pool.query({
    name: 'project',
    text: projectSql,
    values: [request.params.id, developer],
  });
  return rows[0];
});

app.get('/app/v1/:app/me', async request => {
  const token = (request.headers.authorization ?? '').slice('Bearer '.length);
  const hash = createHash('sha256').update(token).digest();
  const { rows } = await pool.query({ name: 'userSession', text: userSessionSql, values: [hash] });
  if (!rows[0]) throw new Error('no session');
  const me = await pool.query({ name: 'me', text: meSql, values: [rows[0].id] });
  // Our server also writes each call of an app to the HTTP log, without waiting for it.
  const id = `log_${randomBytes(13).toString('hex')}`;
  const values = [rows[0].project_id, new Date(), id, JSON.stringify({ id: rows[0].id })];
  pool.query({ name: 'httpLog', text: httpLogSql, values }).catch(console.error);
  return me.rows[0];
});

app.get('/api/projects', async (request, reply) => {
  const { developer } = await session(request.headers.cookie);
  const { rows } = await pool.query({ name: 'list', text: listSql, values: [developer] });
  reply.header('content-range', `items 0-24/${rows[0]?.total}`);
  return rows;
});

app.post<{ Body: { name: string } }>('/api/projects', async request => {
  const { developer, org_id } = await session(request.headers.cookie);
  const id = `prj_${randomBytes(13).toString('hex')}`;
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query({
      name: 'lock',
      text: 'select max_projects from developers where id = $1 for update',
      values: [developer],
    });
    await client.query({
      name: 'count',
      text: 'select count(*) from projects where created_by = $1 and deleted_at is null',
      values: [developer],
    });
    await client.query({
      name: 'insert',
      text: `with made as (insert into projects (id, org_id, name, description, is_sample, created_by, created_at)
          values ($1, $2, $3, '', false, $4, $5) returning id)
        insert into project_members (project_id, developer_id, role, created_at) select id, $4, 'owner', $5 from made`,
      values: [id, org_id, request.body.name, developer, new Date()],
    });
    await client.query({ name: 'read', text: projectSql, values: [id, developer] });
    await client.query({
      name: 'audit',
      text: `insert into log_entries (project_id, stream, ts, id, level, subject, actor, action, text, detail)
        values ($1, 'audit', $2, $3, 2, null, $4, 'createProject', 'made', '{}')`,
      values: [id, new Date(), id, JSON.stringify({ id: developer })],
    });
    await client.query('commit');
  } finally {
    client.release();
  }
  return { id };
});

app.post<{ Body: { email: string; password: string } }>('/api/auth/password', async request => {
  const { rows } = await pool.query({
    name: 'login',
    text: 'select d.*, o.require_two_factor from developers d join organizations o on o.id = d.org_id where d.email = $1',
    values: [request.body.email],
  });
  if (!(await verify(rows[0].password_hash, request.body.password))) throw new Error('wrong');
  const now = new Date();
  await pool.query({
    name: 'open',
    text: `insert into sessions (hash, id, developer_id, created_at, last_used_at, expires_at, proved_at, address, user_agent)
      values ($1, $2, $3, $4, $4, $5, $4, '', '')`,
    values: [
      randomBytes(32),
      randomBytes(12).toString('hex'),
      rows[0].id,
      now,
      new Date(now.getTime() + 86_400_000),
    ],
  });
  return { id: rows[0].id };
});

deviceRoutes(app, pool, session);
serviceRoutes(app, pool);

app.get('/readyz', async () => ({ status: 'ready' }));
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
process.once('SIGTERM', () => process.exit(0));
