import type { DeviceUpdate, HomeAnswer } from '#contract/deviceFirmware.ts';
import type { ErasedUser } from '#server/api/slice.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

/** States in which a home can answer: once the installation starts, a device finishes it. */
export const answerable: readonly DeviceUpdate['state'][] = ['waiting', 'offered', 'accepted', 'ready'];

/** Stores the answer of a home. False: the target was replaced meanwhile, or the device is past these states. */
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

/** The answer of a home does not apply to the device's next home. */
export async function forgetAnswers(db: Db, projectId: string, deviceIds: readonly string[]): Promise<void> {
  await db.run(sql`
    update device_targets set consent = null
    where project_id = ${projectId} and device_id = any(${deviceIds}) and consent is not null`);
}

/** Removes the name of an erased end user from answers; the id remains. */
export async function forgetWhoAnswered(db: Db, { projectId, userId }: ErasedUser): Promise<void> {
  await db.run(sql`
    update device_targets set consent = consent #- '{by,name}'
    where project_id = ${projectId} and consent is not null and consent #>> '{by,id}' = ${userId}`);
  await db.run(sql`
    update device_updates set consent = consent #- '{by,name}'
    where project_id = ${projectId} and consent is not null and consent #>> '{by,id}' = ${userId}`);
}
