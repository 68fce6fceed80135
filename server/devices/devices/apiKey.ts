import type { createTemporaryKey, readDeviceKey, rotateDeviceKey } from '#contract/device.ts';
import type { AnswerOf } from '#contract/endpoint.ts';
import { Problem } from '#contract/problem.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { makeTemporaryKey } from '#server/devices/keys/temporaryKey.ts';
import { appendToSystemLog } from '#server/devices/log/systemLog.ts';
import { notifyDevice } from '#server/infra/bus/deviceNotices.ts';
import { sql } from '#server/infra/db/sql.ts';
import { rotateKeys } from './rotateKeys.ts';

export async function readKey(call: Call<typeof readDeviceKey>): Promise<AnswerOf<typeof readDeviceKey>> {
  const { db, platform } = call;
  const { projectId, id } = call.row;
  const row = await db.one<{ sealed: Buffer | null }>(
    sql`select key_sealed as sealed from devices where project_id = ${projectId} and id = ${id}`,
  );
  if (!row) throw new Problem('DEVICE_NOT_FOUND');
  if (!row.sealed) throw new Problem('KEY_FORGOTTEN');
  return { apiKey: platform.sealing.open(row.sealed) };
}

export async function rotateKey(
  call: Call<typeof rotateDeviceKey>,
): Promise<AnswerOf<typeof rotateDeviceKey>> {
  const { db, platform, body, now } = call;
  const { projectId, id } = call.row;
  const until = body.graceS > 0 ? new Date(now.getTime() + body.graceS * 1000) : undefined;
  const apiKey = (await rotateKeys(db, platform, { projectId, deviceIds: [id], until })).get(id);
  if (apiKey === undefined) throw new Problem('DEVICE_NOT_FOUND');
  await appendToSystemLog(call, id, 'keyRotated');
  call.afterCommit(() => notifyDevice(platform, id, { kind: 'access' }));
  return { apiKey, ...(until && { previousKeyUntil: until.toISOString() }) };
}

export async function makeTemporary(
  call: Call<typeof createTemporaryKey>,
): Promise<AnswerOf<typeof createTemporaryKey>> {
  const { projectId, id, suspended } = call.row;
  if (suspended) throw new Problem('DEVICE_SUSPENDED');
  const row = await call.db.one<{ keyHash: Buffer }>(
    sql`select key_hash as "keyHash" from devices where project_id = ${projectId} and id = ${id}`,
  );
  if (!row) throw new Problem('DEVICE_NOT_FOUND');
  const { token, expiresAt } = makeTemporaryKey(call.platform, { id, ...row }, call.now);
  return { token, expirationTime: expiresAt.toISOString() };
}
