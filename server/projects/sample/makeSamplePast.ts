import { hourMs } from '#rules/time/durations.ts';
import { appendEntries, type NewEntry } from '#server/api/logs/append.ts';
import { addAlerts, addEvents, eventPartitions } from '#server/devices/events/storeEvents.ts';
import { connectedNote, disconnectedNote } from '#server/devices/log/connectionNotes.ts';
import type { PresenceChange } from '#server/devices/presence/pendingConnectionWrites.ts';
import { presencePartitions } from '#server/devices/presence/presenceWriter.ts';
import { addChanges, nextNumbers } from '#server/devices/presence/store.ts';
import { hasPartitions } from '#server/infra/db/maintainPartitions.ts';
import type { Db } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { SampleDevice } from './sampleDevices.ts';

export const hoursAgo = (now: Date, hours: number) => new Date(now.getTime() - hours * hourMs);

/** Writes what the gateway would have written for real devices: presence, system log, events, alerts. */
export async function makeSamplePast(
  db: Db,
  platform: Pick<Platform, 'newId'>,
  { projectId, now }: { projectId: string; now: Date },
  devices: readonly (SampleDevice & { id: string })[],
): Promise<void> {
  const all = devices.flatMap(device =>
    (device.past?.connections ?? []).map(one => ({ ...one, device, address: device.past?.address ?? '' })),
  );
  // If the platform was stopped for long, partitions may be missing: then the project has no past.
  if (
    !(await hasPartitions(
      db,
      [eventPartitions, presencePartitions],
      [now, ...all.map(({ from }) => hoursAgo(now, from))],
    ))
  )
    return;
  const numbers = await nextNumbers(db, all.length);
  const connections = all.map(({ from, to, reason, device, address }, i) => ({
    device,
    clientId: device.tag,
    number: numbers[i] ?? 0,
    protocol: 'mqtt' as const,
    address,
    reason,
    from: hoursAgo(now, from),
    to: hoursAgo(now, to),
  }));
  await addChanges(
    db,
    connections.flatMap(({ device, number, from, to, reason }): PresenceChange[] => {
      const of = { projectId, deviceId: device.id, number };
      return [
        { ...of, at: from, connected: true, reason: null },
        { ...of, at: to, connected: false, reason },
      ];
    }),
  );
  const entries = connections.flatMap((connection): NewEntry[] => {
    const { device, from, to } = connection;
    const actor = { callerType: 'device' as const, id: device.id, displayName: device.name };
    const of = { projectId, stream: 'system' as const, subject: device.id, actor };
    return [
      { ...of, ts: from, ...connectedNote({ ...connection, temporary: false }) },
      { ...of, ts: to, ...disconnectedNote(connection) },
    ];
  });
  await appendEntries(db, platform, entries);
  const events = devices.flatMap(device =>
    (device.past?.events ?? []).map(({ ago, name, payload }) => {
      const ts = hoursAgo(now, ago);
      const frame = { value: payload, text: JSON.stringify(payload) };
      return { id: platform.newId('evt', ts), device: { ...device, projectId }, name, frame, ts };
    }),
  );
  await addAlerts(db, platform, await addEvents(db, events));
}
