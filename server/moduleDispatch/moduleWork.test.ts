import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Running } from '#server/smartModules/moduleType.ts';
import { aModule, anEvent, aType, aWorker, untilRuns } from '#test/modules.ts';
import { aPartition } from '#test/partition.ts';
import { aProjectWorld } from '#test/projectWorld.ts';

const at = aProjectWorld({ ROLES: 'api,gateway', LOG_LEVEL: 'warn' });
beforeAll(() => aPartition(at.world, 'device_events'));

let workers: ReturnType<typeof aWorker>[] = [];
afterEach(async () => {
  await Promise.all(workers.map(worker => worker.stop()));
  workers = [];
});

function work(...types: Parameters<typeof aType>[]): void {
  workers.push(
    aWorker(
      at.world,
      types.map(type => aType(...type)),
    ),
  );
}

const ok = { isOk: true, summary: 'done' };

describe('a module', () => {
  it('receives the events it is subscribed to, with device and state', async () => {
    const seen: Running[] = [];
    work([
      run => {
        seen.push(run);
        return ok;
      },
    ]);
    const device = await at.device();
    const before = await anEvent(at, device.id);
    const id = await aModule(at, { subscribedEvents: ['Door'] });
    await anEvent(at, device.id, 'bell');
    const eventId = await anEvent(at, device.id, 'door', { open: true });
    const runs = await untilRuns(at.world, id, all => all.some(({ state }) => state === 'done'));
    expect(runs.map(run => run.eventId)).toEqual([eventId]);
    expect(before).not.toBe(eventId);
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({
      event: { id: eventId, name: 'door', payload: { open: true }, deviceId: device.id },
      device: { id: device.id, tag: device.tag, deviceClass: device.deviceClass, connected: false },
      state: {},
      attempt: 1,
      causedBy: [],
    });
  });
});
