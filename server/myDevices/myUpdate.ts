import type { answerMyUpdate, MyUpdate, readMyUpdate } from '#contract/appApi/device.ts';
import { consentLaterDaysMax } from '#contract/deviceWire.ts';
import { Problem } from '#contract/problem.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { answerUpdate, isAnswerable } from '#server/deviceFirmware/answerUpdate.ts';
import { tellTargets } from '#server/deviceFirmware/retarget.ts';
import { currentUpdate } from '#server/deviceFirmware/updates.ts';
import type { Call } from '#server/endpoints/route.ts';
import { mustBeInUse } from './control.ts';

const dayMs = 24 * 3_600_000;

export function readUpdate({ db, row }: Call<typeof readMyUpdate>): Promise<MyUpdate | null> {
  return myUpdate(db, row);
}

/** The device learns of it by its target. */
export async function answer(call: Call<typeof answerMyUpdate>): Promise<MyUpdate> {
  mustBeInUse(call);
  const { db, row, body, now, platform } = call;
  if (body.answer === 'later') {
    const waitMs = new Date(body.until).getTime() - now.getTime();
    if (waitMs <= 0 || waitMs > consentLaterDaysMax * dayMs)
      throw new Problem('INVALID_FIELDS', { fields: { until: 'OUT_OF_RANGE' } });
  }
  const current = await currentUpdate(db, row);
  if (!current?.bundle || !isAnswerable(current)) throw new Problem('NOTHING_TO_APPROVE');
  if (current.sequence !== body.sequence) throw new Problem('STALE');
  if (!(await answerUpdate(db, row, { ...body, at: now.toISOString() })))
    throw new Problem('NOTHING_TO_APPROVE');
  call.whenKept(() => tellTargets(platform, [row.id]));
  const answered = await myUpdate(db, row);
  if (!answered) throw new Problem('NOTHING_TO_APPROVE');
  return answered;
}

async function myUpdate(db: Db, device: { projectId: string; id: string }): Promise<MyUpdate | null> {
  const update = await currentUpdate(db, device);
  if (!update?.bundle) return null;
  const { sequence, state, percent, waitsFor, consent, bundle } = update;
  const versions = await db.many<MyUpdate['versions'][number]>(sql`
    select c.name as component, v.name as version from bundle_components b
    join components c on c.project_id = b.project_id and c.id = b.component_id
    join component_versions v on v.project_id = b.project_id and v.id = b.version_id
    where b.project_id = ${device.projectId} and b.bundle_id = ${bundle.id} order by c.name`);
  return {
    ...{ sequence, versions, state, answerable: isAnswerable(update) },
    ...(percent !== undefined && { percent }),
    ...(waitsFor && { waitsFor }),
    ...(consent && { consent }),
  };
}
