import { deviceSubject } from '#server/infra/bus/deviceNotices.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aClass, manyDevices } from './devices.ts';
import type { SignedIn, World } from './world.ts';

/** A class with this many devices. */
export async function aFleet(
  world: World,
  owner: SignedIn,
  projectId: string,
  count: number,
): Promise<{ deviceClass: string; ids: string[] }> {
  const { id } = await aClass(owner, projectId);
  return { deviceClass: id, ids: await manyDevices(world, projectId, id, count) };
}

/** The number of suspended devices of a class, and the sum of the revisions of all its devices. */
export function suspendedOf(
  { platform }: World,
  projectId: string,
  deviceClass: string,
): Promise<{ count: number; revisions: number } | undefined> {
  return platform.db.one(sql`
    select count(*) filter (where suspended)::int as count, sum(revision)::int as revisions from devices
    where project_id = ${projectId} and device_class = ${deviceClass}`);
}

/** Records the notices that gateways get, by device. */
export function hearing(
  { platform }: World,
  ids: string[],
): { heard: Map<string, unknown[]>; end: () => unknown } {
  const heard = new Map<string, unknown[]>();
  const ends = ids.map(id =>
    platform.bus.subscribe(deviceSubject(id), notice => heard.set(id, [...(heard.get(id) ?? []), notice])),
  );
  return { heard, end: () => ends.map(end => end()) };
}
