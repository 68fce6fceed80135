import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';

const keySql = `
  select k.id, k.project_id, k.can_update_kv_stores as allowed from keys k
  join projects p on p.id = k.project_id and p.deleted_at is null
  where k.secret_hash = $1 and not k.suspended and (k.expires_at is null or k.expires_at > now())`;
const pairSql = `
  select v.key, v.value, v.updated_at, v.revision from device_class_kv v
  where v.project_id = $1 and v.device_class = $2 and v.key = $3`;

/** The ceiling of a service call: the key is looked up at every call, and its flag is checked. */
export function serviceRoutes(app: FastifyInstance, pool: pg.Pool): void {
  app.get<{ Params: { id: string; key: string } }>('/service/v1/deviceClasses/:id/kv/:key', async request => {
    const secret = request.headers.authorization?.slice('Bearer '.length) ?? '';
    const hash = createHash('sha256').update(secret).digest();
    const { rows } = await pool.query({ name: 'key', text: keySql, values: [hash] });
    if (!rows[0]?.allowed) throw new Error('no key');
    const values = [rows[0].project_id, request.params.id, request.params.key];
    return (await pool.query({ name: 'pair', text: pairSql, values })).rows[0];
  });
}
