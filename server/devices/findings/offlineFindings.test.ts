import { describe, expect, it } from 'vitest';
import { listFindings } from '#contract/finding.ts';
import { sampleConnectedJob } from '#server/devices/fleet/connectedHistory.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';

const at = aGatewayWorld();
const attempt = { isLast: true, signal: new AbortController().signal };

describe('many devices that disconnect are found', () => {
  const now = Date.now();

  interface Fleet {
    /** The whole project if absent. */
    deviceClass?: string;
    connected: number;
    devices?: number;
    suspended?: number;
    history?: Record<string, number>;
  }

  async function findingsWith(fleets: readonly Fleet[]) {
    const { id: projectId } = await at.world.aProject(at.owner);
    const { db } = at.world.platform;
    for (const { deviceClass = '', connected, devices = 5000, suspended = 0, history = {} } of fleets) {
      await db.run(sql`insert into device_counts (project_id, device_class, part, unclaimed, connected, suspended)
        values (${projectId}, ${deviceClass || 'c'}, 0, ${devices}, ${connected}, ${suspended})`);
      for (const [hoursAgo, then] of Object.entries(history)) {
        const quarter = new Date(now - Number(hoursAgo) * 3_600_000);
        await db.run(sql`
          insert into connected_history values (${projectId}, ${deviceClass}, ${quarter}, ${then}, ${then})`);
      }
    }
    const findings = await at.owner.client.call(listFindings, { params: { projectId } });
    return findings.filter(({ signal }) => signal === 'offline');
  }

  async function foundWith(connected: number, history: Record<string, number>) {
    const found = await findingsWith([{ connected, history }]);
    expect(found.length).toBeLessThan(2);
    return found[0];
  }

  it('by comparison with this time yesterday', async () => {
    const found = await foundWith(391, { 24: 4990, 2: 4800, 1: 400 });
    expect(found).toMatchObject({
      count: 4599,
      causes: [{ text: expect.stringContaining('391 connected now') }],
    });
    const sinceMs = now - Date.parse(found?.at ?? '');
    expect(Math.round(sinceMs / 3_600_000)).toBe(2);
  });

  it('by comparison with a week ago if fewer were connected then, because fleets may rest at the weekend', async () => {
    expect(await foundWith(400, { 168: 410, 24: 4990 })).toBeUndefined();
    expect(await foundWith(300, { 168: 410, 24: 4990 })).toMatchObject({ count: 110 });
  });

  it('by comparison with the maximum so far, if there is no record of yesterday', async () => {
    expect(await foundWith(391, { 3: 4000, 2: 4990 })).toMatchObject({ count: 4599 });
  });

  it('even in the first recorded quarter of an hour', async () => {
    const { id: projectId } = await at.world.aProject(at.owner);
    const { db } = at.world.platform;
    const sample = sampleConnectedJob(at.world.platform);
    await db.run(sql`insert into device_counts (project_id, device_class, part, unclaimed, connected)
      values (${projectId}, 'c', 0, 30, 30)`);
    await sample({}, attempt);
    await db.run(sql`update device_counts set connected = 0 where project_id = ${projectId}`);
    await sample({}, attempt);
    const findings = await at.owner.client.call(listFindings, { params: { projectId } });
    expect(findings).toMatchObject([{ signal: 'offline', count: 30 }]);
  });

  it('but not if few are missing, or if most are always disconnected at this time of day', async () => {
    expect(await foundWith(1, { 24: 10 })).toBeUndefined();
    expect(await foundWith(4500, { 24: 4990 })).toBeUndefined();
    expect(await foundWith(400, { 24: 400, 12: 4990 })).toBeUndefined();
    expect(await foundWith(0, {})).toBeUndefined();
  });

  it('within a class, even if they are few in the whole fleet', async () => {
    const found = await findingsWith([
      { connected: 470, devices: 470, history: { 24: 500 } },
      { deviceClass: 'gateway', connected: 0, devices: 30, history: { 24: 30, 1: 30 } },
      { deviceClass: 'lamp', connected: 199, devices: 200, history: { 24: 200 } },
    ]);
    expect(found).toMatchObject([
      {
        deviceClass: 'gateway',
        count: 30,
        causes: [{ text: 'gateway: 0 connected now, usually at least 30 at this time of day', count: 1 }],
      },
    ]);
  });

  it('with the time when they disconnected, not that of the last sample', async () => {
    const { id: projectId } = await at.world.aProject(at.owner);
    const { db } = at.world.platform;
    const ago = (minutes: number) => new Date(now - minutes * 60_000);
    await db.run(
      sql`insert into device_classes (project_id, id, created_at) values (${projectId}, 'gateway', now())`,
    );
    await db.run(sql`
      with made as (
        insert into devices (project_id, id, device_class, key_hash, key_end, created_at)
        select ${projectId}, 'dev_gone_' || n, 'gateway', sha256(n::text::bytea), 'gone', now() from generate_series(1, 30) n
        returning id)
      insert into device_presence (project_id, device_id, device_class, seen_at)
      select ${projectId}, id, 'gateway', case id when 'dev_gone_1' then ${ago(40)}::timestamptz else ${ago(7)} end from made`);
    await db.run(sql`
      insert into connected_history values (${projectId}, 'gateway', ${ago(60)}, 30, 30)`);
    const [found] = await at.owner.client.call(listFindings, { params: { projectId } });
    expect(found).toMatchObject({ signal: 'lost', deviceClass: 'gateway', at: ago(7).toISOString() });
  });

  it('in the whole fleet, with the classes that miss most', async () => {
    const found = await findingsWith([
      { connected: 100, history: { 24: 400 } },
      { deviceClass: 'gateway', connected: 0, devices: 30, history: { 24: 30 } },
      { deviceClass: 'lamp', connected: 30, devices: 300, history: { 24: 300 } },
    ]);
    expect(found).toHaveLength(1);
    expect(found[0]?.deviceClass).toBeUndefined();
    const texts = found[0]?.causes.map(({ text }) => text);
    expect(texts).toEqual([
      expect.stringMatching(/^130 connected now/),
      'lamp: 30 of 300',
      'gateway: 0 of 30',
    ]);
  });

  it('but not if they were deleted or suspended', async () => {
    const history = { 24: 100 };
    expect(await findingsWith([{ connected: 40, devices: 40, history }])).toEqual([]);
    expect(await findingsWith([{ connected: 40, devices: 100, suspended: 60, history }])).toEqual([]);
    expect(await findingsWith([{ connected: 40, devices: 100, history }])).toMatchObject([{ count: 60 }]);
  });
});
