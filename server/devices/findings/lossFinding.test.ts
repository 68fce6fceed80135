import { describe, expect, it } from 'vitest';
import { type Finding, listFindings } from '#contract/finding.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';

const at = aGatewayWorld();

interface Gone {
  minutesAgo: number;
  /** How long the device had been connected. */
  sessionMs?: number;
  suspended?: boolean;
}

/** A project with devices, some of which have disconnected. */
async function aFleet({ connected, gone }: { connected: number; gone: readonly Gone[] }) {
  const { id: projectId } = await at.world.aProject(at.owner);
  const { db } = at.world.platform;
  const now = Date.now();
  const idOf = (n: number) => `dev_${n}_${projectId}`;
  const all = [...Array<undefined>(connected), ...gone];
  const seen = all.map(one => (one ? new Date(now - one.minutesAgo * minuteMs).toISOString() : 'infinity'));
  await db.run(
    sql`insert into device_classes (project_id, id, created_at) values (${projectId}, 'lamp', now())`,
  );
  await db.run(sql`
    insert into devices (project_id, id, name, device_class, key_hash, key_end, created_at)
    select ${projectId}, 'dev_' || n || '_' || ${projectId}, 'Lamp ' || n, 'lamp', sha256((${projectId} || n)::bytea), 'gone', now()
    from generate_series(1, ${all.length}::int) n`);
  await db.run(sql`
    insert into device_presence (project_id, device_id, device_class, seen_at, suspended, reason)
    select ${projectId}, 'dev_' || n || '_' || ${projectId}, 'lamp', seen, suspended, 'SILENT'
    from unnest(${seen}::timestamptz[], ${all.map(one => one?.suspended ?? false)}::boolean[])
      with ordinality as t (seen, suspended, n)`);
  for (const [place, { minutesAgo, sessionMs = 3_600_000 }] of gone.entries())
    await db.run(sql`
      insert into presence_changes (project_id, device_id, at, number, connected)
      values (${projectId}, ${idOf(connected + place + 1)}, ${new Date(now - minutesAgo * minuteMs - sessionMs)}, 1, true)`);
  return {
    projectId,
    idOf,
    async findings(): Promise<Finding[]> {
      const all = await at.owner.client.call(listFindings, { params: { projectId } });
      return all.filter(({ signal }) => signal === 'lost' || signal === 'offline');
    },
  };
}

const many = (count: number, gone: Gone): Gone[] => Array<Gone>(count).fill(gone);

describe('devices that lose their connection within five minutes are found', () => {
  it('in a fleet of any size, by name, with what was connected before', async () => {
    const { findings } = await aFleet({
      connected: 1,
      gone: [{ minutesAgo: 70 }, { minutesAgo: 60 }, { minutesAgo: 58.5 }],
    });
    const [lost, ...others] = await findings();
    expect(others).toEqual([]);
    expect(lost).toMatchObject({
      signal: 'lost',
      count: 2,
      deviceClass: 'lamp',
      devices: [{ name: 'Lamp 4' }, { name: 'Lamp 3' }],
      causes: [{ text: '2 of 3 connected devices, within 2 minutes' }],
      loss: { before: 3, connected: 1 },
      common: [{ fact: 'reason', value: 'SILENT', count: 2, of: 2 }],
    });
    expect((Date.now() - Date.parse(lost?.since ?? '')) / minuteMs).toBeCloseTo(60, 0);
  });

  it('if ten of them are gone, or in a large fleet one in a hundred', async () => {
    const of = async (connected: number, count: number) =>
      (await aFleet({ connected, gone: many(count, { minutesAgo: 30 }) })).findings();
    expect(await of(90, 10)).toMatchObject([{ signal: 'lost', count: 10 }]);
    expect(await of(90, 9)).toEqual([]);
    expect(await of(1_990, 10)).toEqual([]);
    expect(await of(1_980, 20)).toMatchObject([{ signal: 'lost', count: 20 }]);
  });

  it('until enough of them have returned', async () => {
    const fleet = await aFleet({ connected: 2, gone: many(4, { minutesAgo: 5 }) });
    expect(await fleet.findings()).toMatchObject([{ count: 4 }]);
    await at.world.platform.db.run(sql`
      update device_presence set seen_at = 'infinity'
      where project_id = ${fleet.projectId} and device_id = any(${[fleet.idOf(3), fleet.idOf(4)]})`);
    expect(await fleet.findings()).toEqual([]);
  });

  it('and a smaller loss after a larger one has happened since', async () => {
    const gone = [...many(12, { minutesAgo: 90 }), ...many(10, { minutesAgo: 30 })];
    const [lost] = await (await aFleet({ connected: 5, gone })).findings();
    expect(lost).toMatchObject({ count: 12 });
    expect((Date.now() - Date.parse(lost?.at ?? '')) / minuteMs).toBeCloseTo(30, 0);
  });

  it('but not if they were gone one by one, connect only to report, or are suspended', async () => {
    const of = async (connected: number, gone: Gone[]) => (await aFleet({ connected, gone })).findings();
    expect(await of(2, [{ minutesAgo: 90 }, { minutesAgo: 60 }, { minutesAgo: 30 }])).toEqual([]);
    expect(await of(0, many(3, { minutesAgo: 10, sessionMs: 20_000 }))).toEqual([]);
    expect(await of(0, many(3, { minutesAgo: 10, suspended: true }))).toEqual([]);
    expect(await of(0, many(3, { minutesAgo: 25 * 60 }))).toEqual([]);
  });

  it('but not if no more are usually connected at this time of day', async () => {
    const { projectId, findings } = await aFleet({ connected: 0, gone: many(3, { minutesAgo: 10 }) });
    const yesterday = new Date(Date.now() - 24 * 60 * minuteMs);
    await at.world.platform.db.run(
      sql`insert into connected_history values (${projectId}, '', ${yesterday}, 0, 0)`,
    );
    expect(await findings()).toEqual([]);
  });
});
