import { createHash, randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type pg from 'pg';

type Session = (cookie: string | undefined) => Promise<{ developer: string; org_id: string }>;

interface ListQuery {
  projectId: string;
  deviceClass?: string;
  search?: string;
  cursor?: string;
}

const memberSql = `
  select p.*, (select m.role from project_members m where m.project_id = p.id and m.developer_id = $2) as role
  from projects p where p.id = $1 and p.deleted_at is null`;
const columns = `
  d.id, d.tag, d.name, d.device_class, d.channel, d.bundle_installed, d.home_id is not null as claimed, d.suspended,
  d.created_at, d.revision, s.seen_at, s.since, s.last_message_at, s.reason, s.address, s.protocol`;
const joined = `
  join devices d on d.id = page.id left join device_presence s on s.project_id = d.project_id and s.device_id = d.id`;
const totalSql = `(
  select coalesce(sum(claimed + unclaimed), 0) from device_counts where project_id = $1 and device_class = $2)`;
const pageSql = `
  with page as materialized (
    select id from devices where project_id = $1 and device_class = $2 order by id desc limit 26)
  select ${columns}, ${totalSql} as total from page ${joined} order by page.id desc`;
const afterSql = `
  with page as materialized (
    select id from devices where project_id = $1 and device_class = $2 and id < $3 order by id desc limit 26)
  select ${columns}, ${totalSql} as total from page ${joined} order by page.id desc`;
const searchSql = `
  with found as materialized (
    select id from devices where project_id = $1 and device_class = $2 and search like $3 limit 10001),
  counted as materialized (select count(*)::int as total from found),
  page as materialized (select id from found, counted where total <= 10000 order by id desc limit 26)
  select counted.total, ${columns} from counted left join (page ${joined}) on true order by page.id desc`;
const broadSql = `
  with page as materialized (
    select id from devices where project_id = $1 and device_class = $2 and search like $3 order by id desc limit 26)
  select ${columns} from page ${joined} order by page.id desc`;
const oneSql = `
  select ${columns}, d.project_id, d.description, d.claim_code, d.key_end, d.key_sealed is not null as readable,
    d.previous_key_until, p.org_id,
    (select m.role from project_members m where m.project_id = p.id and m.developer_id = $2) as role
  from devices d join projects p on p.id = d.project_id and p.deleted_at is null
  left join device_presence s on s.project_id = d.project_id and s.device_id = d.id where d.id = $1`;

/** The calls of devices in the reference server: our SQL and the session lookup, and nothing else. */
export function deviceRoutes(app: FastifyInstance, pool: pg.Pool, session: Session): void {
  const ask = (name: string, text: string, values: unknown[]) => pool.query({ name, text, values });
  const plan = (text: string, values: unknown[]) => pool.query(text, values);

  app.get<{ Querystring: ListQuery }>('/api/devices', async (request, reply) => {
    const { projectId, deviceClass, search, cursor } = request.query;
    const { developer } = await session(request.headers.cookie);
    await ask('member', memberSql, [projectId, developer]);
    const place = [projectId, deviceClass];
    if (search) {
      const { rows } = await plan(searchSql, [...place, `%${search}%`]);
      reply.header('content-range', `items 0-24/${rows[0]?.total}`);
      if (rows[0]?.total <= 10_000) return rows.slice(0, 25);
      return (await plan(broadSql, [...place, `%${search}%`])).rows.slice(0, 25);
    }
    const { rows } = await (cursor
      ? ask('after', afterSql, [...place, idOf(cursor)])
      : ask('page', pageSql, place));
    reply.header('content-range', `items 0-24/${rows[0]?.total}`);
    return rows.slice(0, 25);
  });

  app.get<{ Params: { id: string } }>('/api/devices/:id', async request => {
    const { developer } = await session(request.headers.cookie);
    return (await ask('one', oneSql, [request.params.id, developer])).rows[0];
  });

  app.post(
    '/api/devices',
    async (request: FastifyRequest<{ Body: { projectId: string; deviceClass: string } }>) => {
      const { developer } = await session(request.headers.cookie);
      await ask('member', memberSql, [request.body.projectId, developer]);
      return create(pool, request.body, developer);
    },
  );
}

/** Our cursor contains the id of the last device. */
const idOf = (cursor: string) => JSON.parse(Buffer.from(cursor, 'base64url').toString()).id as string;

const insertSql = `
  with project as (select id, forget_device_keys from projects where id = $1 and deleted_at is null for share),
  class as (select project_id, id from device_classes where project_id = $1 and id = $2 for key share),
  made as (
    insert into devices (project_id, id, device_class, claim_code, key_hash, key_sealed, key_end, created_at)
    select project.id, $3, class.id, $4, $5, $6, 'abcd', $7 from project, class
    on conflict (project_id, claim_code) where claim_code is not null do nothing returning project_id, id, device_class)
  insert into device_presence (project_id, device_id, device_class) select project_id, id, device_class from made`;
const auditSql = `
  with kept as (
    insert into log_entries (project_id, stream, ts, id, level, subject, actor, action, text, detail)
    values ($1, 'audit', $2, $3, 2, null, $4, 'createDevice', 'made', $5) returning project_id, ts, id)
  insert into audit_unsealed (project_id, ts, id) select * from kept`;

async function create(
  pool: pg.Pool,
  { projectId, deviceClass }: { projectId: string; deviceClass: string },
  developer: string,
): Promise<{ id: string }> {
  const now = new Date();
  // As long as our ids, and also sorted by time.
  const id = `dev_${now.getTime().toString(32).padStart(10, '0')}${randomBytes(8).toString('hex')}`;
  const hash = createHash('sha256').update(id).digest();
  const client = await pool.connect();
  try {
    await client.query('begin');
    const values = [projectId, deviceClass, id, randomBytes(5).toString('hex'), hash, randomBytes(68), now];
    await client.query({ name: 'insert', text: insertSql, values });
    const entry = [
      projectId,
      now,
      `log_${id}`,
      JSON.stringify({ id: developer }),
      JSON.stringify({ after: { id } }),
    ];
    await client.query({ name: 'audit', text: auditSql, values: entry });
    await client.query('commit');
  } finally {
    client.release();
  }
  return { id };
}
