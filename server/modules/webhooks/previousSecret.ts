import { hourMs } from '#rules/time/durations.ts';
import { previousSignsHours } from '#rules/time/lifetimes.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { OpenModule } from '#server/modules/smartModules/moduleType.ts';
import type { WebhookConfig } from './webhookConfig.ts';

type OfModule = Pick<OpenModule<WebhookConfig>, 'projectId' | 'id' | 'config'>;
const graceMs = previousSignsHours * hourMs;

/** Stores the secret that a change replaces, so that receivers have a day to learn the new one. */
export async function storePrevious(
  db: Db,
  { projectId, id, config }: OfModule,
  { sealing, clock }: Pick<Platform, 'sealing' | 'clock'>,
): Promise<void> {
  const kept = await db.one<{ secret: Buffer }>(sql`
    select secret from webhook_secrets where project_id = ${projectId} and module_id = ${id}`);
  if (kept && sealing.open(kept.secret) === config.secret) return;
  const until = new Date(clock().getTime() + graceMs);
  await db.run(sql`
    insert into webhook_secrets as w (project_id, module_id, secret)
    values (${projectId}, ${id}, ${sealing.seal(config.secret)})
    on conflict (project_id, module_id) do update
    set previous = w.secret, previous_until = ${until}, secret = excluded.secret`);
}

/** The secrets that sign requests now, the current one first. */
export async function signingSecrets(
  { db, sealing }: Pick<Platform, 'db' | 'sealing'>,
  { projectId, id, config }: OfModule,
  now: Date,
): Promise<string[]> {
  const row = await db.one<{ previous: Buffer }>(sql`
    select previous from webhook_secrets
    where project_id = ${projectId} and module_id = ${id} and previous_until > ${now}`);
  return row ? [config.secret, sealing.open(row.previous)] : [config.secret];
}

/** The time until which the previous secret also signs. */
export async function previousUntil(
  db: Db,
  { projectId, id }: Pick<OfModule, 'projectId' | 'id'>,
  now: Date,
): Promise<Date | undefined> {
  const row = await db.one<{ until: Date }>(sql`
    select previous_until as until from webhook_secrets
    where project_id = ${projectId} and module_id = ${id} and previous_until > ${now}`);
  return row?.until;
}
