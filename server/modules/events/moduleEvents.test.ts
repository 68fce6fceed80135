import { beforeAll, describe, expect, it } from 'vitest';
import { cancelCommand, sendCommand } from '#contract/command.ts';
import { writeDesired } from '#contract/deviceState.ts';
import { listModuleEvents } from '#contract/moduleRun.ts';
import { reportAlerts } from '#server/devices/alerts/reportAlerts.ts';
import { type Db, openDatabase, sql } from '#server/infra/db/sql.ts';
import { aHome, inHome } from '#test/homes.ts';
import { anEvent } from '#test/modules.ts';
import { aPartition } from '#test/partition.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { until } from '#test/until.ts';
import type { StoredEvent } from './eventSources.ts';
import { findEvent, findEvents } from './findEvents.ts';
import { type EventCursor, readNextEvents } from './readNextEvents.ts';

const at = aProjectWorld({ ROLES: 'api,gateway' });
beforeAll(() => aPartition(at.world, 'device_events'));
beforeAll(() => aPartition(at.world, 'presence_changes'));

/**
 * Where reading would begin now. Because of other tests' transactions, this can be before earlier events of this test.
 */
async function here(): Promise<EventCursor> {
  const row = await at.world.platform.db.one<{ tx: string }>(sql`
    select pg_snapshot_xmin(pg_current_snapshot())::text as tx`);
  return { tx: row?.tx ?? '', seq: '0' };
}

/** Retries, because other tests share the cluster and their transactions can delay what is visible. */
async function readUntil(begin: EventCursor, of: Of): Promise<StoredEvent[]> {
  return (await readOn(begin, of)).all;
}

interface Of {
  deviceId: string;
  count: number;
  max?: number;
}

async function readOn(begin: EventCursor, { deviceId, count, max = 100 }: Of) {
  const all: StoredEvent[] = [];
  let cursor = begin;
  const asked = { since: new Date(0), projectIds: [at.projectId], max };
  await until(async () => {
    const read = await readNextEvents(at.world.platform.db, { cursor, ...asked });
    all.push(...read.events.filter(event => event.deviceId === deviceId));
    cursor = read.cursor;
    return all.length >= count || undefined;
  });
  return { all, cursor };
}

describe('the events of a project', () => {
  it('are all read, in whatever order transactions end', async () => {
    const { id } = await at.device();
    const { pool } = at.world.platform.db;
    const begin = await here();
    const writers = await Promise.all([0, 1, 2, 3].map(() => pool.connect()));
    const written: string[] = [];
    const seen: string[] = [];
    // A naive reader that uses only the number, for comparison.
    const naive = { seq: '0', seen: [] as string[] };
    const read = { cursor: begin };
    async function look(): Promise<void> {
      const rows = await at.world.platform.db.many<{ id: string; seq: string }>(sql`
        select id, seq::text from device_events where device_id = ${id} and seq > ${naive.seq}::bigint order by seq`);
      naive.seen.push(...rows.map(row => row.id));
      naive.seq = rows.at(-1)?.seq ?? naive.seq;
      const asked = { cursor: read.cursor, since: new Date(0), projectIds: [at.projectId], max: 100 };
      const next = await readNextEvents(at.world.platform.db, asked);
      seen.push(...next.events.filter(({ deviceId }) => deviceId === id).map(event => event.id));
      read.cursor = next.cursor;
    }
    for (const [number, writer] of writers.entries()) {
      written.push(`evt_${number}`);
      await writer.query('begin');
      await writer.query(
        `insert into device_events (project_id, device_id, ts, id, name, payload)
         values ($1, $2, now(), $3, 'door', '{}')`,
        [at.projectId, id, `evt_${number}`],
      );
    }
    for (const number of [2, 0, 3, 1]) {
      await writers[number]?.query('commit');
      await look();
    }
    for (const writer of writers) writer.release();
    const left = { deviceId: id, count: written.length - seen.length };
    seen.push(...(await readUntil(read.cursor, left)).map(event => event.id));
    expect(seen).toEqual(written);
    expect(naive.seen).not.toContain('evt_0');
  });

  it('are read while a transaction of another database is open, but not past an open one of their own', async () => {
    const { id } = await at.device();
    const { db } = at.world.platform;
    const url = new URL(db.pool.options.connectionString ?? '');
    url.pathname = '/postgres';
    const elsewhere = openDatabase(url.href, { max: 1 });
    const add = (to: Db, event: string) =>
      to.run(sql`
        insert into device_events (project_id, device_id, ts, id, name, payload)
        values (${at.projectId}, ${id}, now(), ${event}, 'door', '{}')`);
    try {
      await elsewhere.tx(async open => {
        await open.run(sql`select pg_current_xact_id()`);
        const begin = await here();
        await add(db, 'evt_early');
        const early = await readOn(begin, { deviceId: id, count: 1 });
        expect(early.all.map(event => event.id)).toEqual(['evt_early']);
        await db.tx(async late => {
          await add(late, 'evt_late');
          await add(db, 'evt_after');
          const next = await readOn(early.cursor, { deviceId: id, count: 0 });
          expect(next.all).toEqual([]);
          early.cursor = next.cursor;
        });
        const rest = await readOn(early.cursor, { deviceId: id, count: 2 });
        expect(rest.all.map(event => event.id)).toEqual(['evt_late', 'evt_after']);
      });
    } finally {
      await elsewhere.end();
    }
  });

  it('are read page by page, each once, even in the middle of a transaction', async () => {
    const { id } = await at.device();
    const begin = await here();
    const ids = Array.from({ length: 25 }, (_, n) => `evt_page_${String(n).padStart(2, '0')}`);
    await at.world.platform.db.run(sql`
      insert into device_events (project_id, device_id, ts, id, name, payload)
      select ${at.projectId}, ${id}, now(), id, 'door', '{}' from unnest(${ids}::text[]) as id`);
    expect((await readUntil(begin, { deviceId: id, count: 25, max: 10 })).map(event => event.id)).toEqual(
      ids,
    );
  });

  it('are read in pages of a bounded size, however well their payloads are compressed', async () => {
    const { id } = await at.device();
    const begin = await here();
    const payload = JSON.stringify('x'.repeat(100_000));
    await at.world.platform.db.run(sql`
      insert into device_events (project_id, device_id, ts, id, name, payload)
      select ${at.projectId}, ${id}, now(), 'evt_large_' || n, 'door', ${payload} from generate_series(1, 200) n`);
    const asked = { since: new Date(0), projectIds: [at.projectId], max: 1_000 };
    const first = await until(async () => {
      const { events } = await readNextEvents(at.world.platform.db, { cursor: begin, ...asked });
      const ofDevice = events.filter(({ deviceId }) => deviceId === id);
      return ofDevice.length > 0 ? ofDevice : undefined;
    });
    expect(first.length * payload.length).toBeLessThan(10 * 1024 * 1024);
    expect(await readUntil(begin, { deviceId: id, count: 200, max: 1_000 })).toHaveLength(200);
  });

  it('include changes of devices, with the runs that caused them', async () => {
    const { db, clock } = at.world.platform;
    const { id: deviceId } = await at.device();
    const begin = await here();
    const params = { deviceId };
    await at.owner.client.call(writeDesired, { params, body: { desired: { on: true } } });
    const command = await at.owner.client.call(sendCommand, { params, body: { name: 'blink', ttlS: 60 } });
    await at.owner.client.call(cancelCommand, { params: { deviceId, commandId: command.id } });
    await inHome(at.world, await aHome(at.world, at.projectId), [deviceId]);
    await db.run(
      sql`update devices set home_id = null, owned_since = null, claimed_how = null where id = ${deviceId}`,
    );
    await db.run(sql`
      insert into presence_changes (project_id, device_id, at, number, connected, reason)
      values (${at.projectId}, ${deviceId}, ${clock()}, 7, false, 'TIMEOUT')`);
    await db.tx(async tx => {
      await tx.run(sql`select set_config('mooring.caused_by', ${JSON.stringify(['run_1', 'run_2'])}, true)`);
      await raise(tx, deviceId);
    });
    const events = await readUntil(begin, { deviceId, count: 6 });
    expect(events.map(({ name }) => name)).toEqual([
      '_desired_',
      '_command_',
      '_added_',
      '_removed_',
      '_disconnected_',
      '_alert_',
    ]);
    const [desired, ended, , , gone, alert] = events;
    expect(desired?.payload).toEqual({ on: true });
    expect(ended?.payload).toMatchObject({ id: command.id, name: 'blink', stage: 'cancelled' });
    expect(gone?.payload).toEqual({ reason: 'TIMEOUT' });
    expect(alert?.payload).toMatchObject({ severity: 'warning', text: 'It smokes' });
    expect(events.map(({ causedBy }) => causedBy)).toEqual([[], [], [], [], [], ['run_1', 'run_2']]);
    await expectFoundAgain(events);
  });

  /** Finds the events by their ids, with and without the device. */
  async function expectFoundAgain(events: StoredEvent[]): Promise<void> {
    const { db } = at.world.platform;
    const found = await findEvents(db, events);
    for (const { id, name } of events) {
      expect(found.get(id)?.name).toBe(name);
      expect((await findEvent(db, at.projectId, id))?.name).toBe(name);
    }
    const [first] = events;
    const query = { deviceId: first?.deviceId ?? '' };
    const listed = await at.owner.client.call(listModuleEvents, {
      params: { projectId: at.projectId },
      query,
    });
    expect(listed.map(({ id }) => id).toSorted()).toEqual(events.map(({ id }) => id).toSorted());
  }

  async function raise(db: Db, deviceId: string): Promise<void> {
    await reportAlerts(db, at.world.platform, [
      {
        projectId: at.projectId,
        deviceId,
        resolved: false,
        severity: 'warning',
        text: 'It smokes',
        ts: at.world.now(),
        source: { kind: 'module', moduleId: 'rule', runId: 'run_2' },
      },
    ]);
  }

  it('are listed by name, only those of the project', async () => {
    const [one, other] = [await at.device(), await at.device()];
    const id = await anEvent(at, one.id, 'Listed');
    await anEvent(at, other.id, 'bell');
    const params = { projectId: at.projectId };
    const listed = await at.owner.client.call(listModuleEvents, { params, query: { name: 'listed' } });
    expect(listed.map(event => event.id)).toEqual([id]);
    expect(listed[0]?.device.tag).toBe(one.tag);
  });

  it('are listed page by page, even if many have the same millisecond', async () => {
    const { id: deviceId } = await at.device();
    const nowMs = at.world.now().getTime();
    await at.world.platform.db.run(sql`
      insert into device_events (project_id, device_id, ts, id, name, payload)
      select ${at.projectId}, ${deviceId}, to_timestamp((${nowMs}::bigint - n / 70) / 1000.0), 'evt_' || n, 'beat', '{}'
      from generate_series(0, 149) as n`);
    const seen: string[] = [];
    for (let before: string | undefined; ; ) {
      const query = { deviceId, name: 'beat', ...(before && { before }) };
      const page = await at.owner.client.call(listModuleEvents, {
        params: { projectId: at.projectId },
        query,
      });
      if (page.length === 0) break;
      seen.push(...page.map(({ id }) => id));
      before = page.at(-1)?.ts;
    }
    expect([seen.length, new Set(seen).size]).toEqual([150, 150]);
  });
});
