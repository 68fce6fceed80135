import { argsBytesMax } from '#contract/command.ts';
import { Problem } from '#contract/problem.ts';
import type { SentEvent, sendEvent } from '#contract/service.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

/** The same limit as for the arguments of a command to a device. */
const payloadBytesMax = argsBytesMax;

interface Addressee {
  homeId: string;
  userId?: string;
  deviceId?: string;
}

/**
 * Stores an event of a back end for the event streams of apps. An event to a device that is in no home reaches nobody.
 */
export async function sendOne({
  db,
  body,
  now,
  platform,
  params,
}: Pick<Call<typeof sendEvent>, 'db' | 'body' | 'now' | 'platform' | 'params'>): Promise<SentEvent> {
  const { userId, homeId, deviceId, name, payload = null } = body;
  if ([userId, homeId, deviceId].filter(one => one !== undefined).length !== 1)
    throw new Problem('ONE_ADDRESSEE');
  const text = JSON.stringify(payload);
  if (Buffer.byteLength(text) > payloadBytesMax) throw new Problem('TOO_LARGE');
  const { projectId } = params;
  const id = platform.newId('evt', now);
  const to = await addressee(db, projectId, { userId, homeId, deviceId });
  if (to)
    await db.run(sql`
      insert into home_events (project_id, home_id, user_id, device_id, ts, type, name, ref, payload)
      values (${projectId}, ${to.homeId}, ${to.userId ?? null}, ${to.deviceId ?? null}, ${now}, 'event', ${name},
        ${id}, ${text}::json)`);
  return { id, ts: now.toISOString() };
}

/** Undefined if the addressee exists, but nobody can see its events. */
async function addressee(
  db: Db,
  projectId: string,
  named: { userId: string | undefined; homeId: string | undefined; deviceId: string | undefined },
): Promise<Addressee | undefined> {
  const { userId, homeId, deviceId } = named;
  if (userId !== undefined) {
    const user = await db.one(
      sql`select 1 as found from users where project_id = ${projectId} and id = ${userId}`,
    );
    if (!user) throw new Problem('USER_NOT_FOUND');
    return { homeId: '0', userId };
  }
  if (homeId !== undefined) {
    const home = await db.one(
      sql`select 1 as found from homes where project_id = ${projectId} and id = ${homeId}`,
    );
    if (!home) throw new Problem('HOME_NOT_FOUND');
    return { homeId };
  }
  const device = await db.one<{ homeId: string | null }>(sql`
    select home_id::text as "homeId" from devices where project_id = ${projectId} and id = ${deviceId}`);
  if (!device || deviceId === undefined) throw new Problem('DEVICE_NOT_FOUND');
  return device.homeId === null ? undefined : { homeId: device.homeId, deviceId };
}
