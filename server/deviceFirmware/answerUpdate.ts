import type { DeviceUpdate, HomeAnswer } from '#contract/deviceFirmware.ts';
import { type Db, sql } from '#server/db/sql.ts';

/** From the installation on, a device finishes what it began. */
export const answerable: readonly DeviceUpdate['state'][] = ['waiting', 'offered', 'accepted', 'ready'];

/** Notes what the people of a home answered. False: the target is another by now, or the device went on with it. */
export async function answerUpdate(
  db: Db,
  { projectId, id }: { projectId: string; id: string },
  { sequence, ...answer }: HomeAnswer & { sequence: number },
): Promise<boolean> {
  const noted = await db.run(sql`
    update device_targets set consent = ${JSON.stringify(answer)}::jsonb
    where project_id = ${projectId} and device_id = ${id} and sequence = ${sequence} and bundle_id is not null
      and state = any(${answerable}::text[])`);
  return noted > 0;
}

/** What a home answered is not for the next one. */
export async function forgetAnswers(db: Db, projectId: string, deviceIds: readonly string[]): Promise<void> {
  await db.run(sql`
    update device_targets set consent = null
    where project_id = ${projectId} and device_id = any(${deviceIds}) and consent is not null`);
}

/** Answers of an end user who is erased keep their id. */
export async function forgetWhoAnswered(db: Db, projectId: string, userId: string): Promise<void> {
  await db.run(sql`
    update device_targets set consent = consent #- '{by,name}'
    where project_id = ${projectId} and consent is not null and consent #>> '{by,id}' = ${userId}`);
  await db.run(sql`
    update device_updates set consent = consent #- '{by,name}'
    where project_id = ${projectId} and consent is not null and consent #>> '{by,id}' = ${userId}`);
}
