import { createHash, randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';

const keySql = `
  select k.id, k.project_id, k.can_update_kv_stores as allowed from keys k
  join projects p on p.id = k.project_id and p.deleted_at is null
  where k.secret_hash = $1 and not k.suspended and (k.expires_at is null or k.expires_at > now())`;
const pairSql = `
  select v.key, v.value, v.updated_at, v.revision from device_class_kv v
  where v.project_id = $1 and v.device_class = $2 and v.key = $3`;

const httpLogSql = `
  insert into log_entries (project_id, stream, ts, id, level, subject, actor, action, text, detail)
  values ($1, 'http', $2, $3, 2, null, $4, 'GET pair', 'GET pair 200', '{}')`;

/** The reference for a service call: looks up the key on every call, and checks its capability. */
export function serviceRoutes(app: FastifyInstance, pool: pg.Pool): void {
  app.get<{ Params: { id: string; key: string } }>('/service/v1/deviceClasses/:id/kv/:key', async request => {
    const secret = request.headers.authorization?.slice('Bearer '.length) ?? '';
    const hash = createHash('sha256').update(secret).digest();
    const { rows } = await pool.query({ name: 'key', text: keySql, values: [hash] });
    if (!rows[0]?.allowed) throw new Error('no key');
    const values = [rows[0].project_id, request.params.id, request.params.key];
    const pair = await pool.query({ name: 'pair', text: pairSql, values });
    // As in our server, without waiting for it.
    const id = `log_${randomBytes(13).toString('hex')}`;
    const entry = [rows[0].project_id, new Date(), id, JSON.stringify({ id: rows[0].id })];
    pool.query({ name: 'serviceLog', text: httpLogSql, values: entry }).catch(console.error);
    return pair.rows[0];
  });
}
