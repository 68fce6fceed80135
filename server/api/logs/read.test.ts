import { describe, expect, it } from 'vitest';
import type { QueryOf } from '#contract/endpoint.ts';
import { type LogEntry, readHttpLogEntries, readLogEntries } from '#contract/log.ts';
import { editProject } from '#contract/project.ts';
import { dayMs, minuteMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { readEntries, soughtIn } from '#server/projects/logEntries/read.ts';
import { someone, writeEntries } from '#test/entries.ts';
import { failing } from '#test/failing.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import type { NewEntry } from './append.ts';
import { Sealer } from './auditChain/sealer.ts';
import { blockSize } from './blocks.ts';

const at = aProjectWorld();

type Query = QueryOf<typeof readLogEntries>;

const ago = (ms: number) => new Date(at.world.now().getTime() - ms);
const lastMonth = (): Query => ({
  begin: ago(30 * dayMs).toISOString(),
  end: ago(-2 * dayMs).toISOString(),
});

async function aLog(entries: Partial<NewEntry>[]): Promise<string> {
  const { id } = await at.world.aProject(at.owner);
  await writeEntries(at.world.platform, id, entries);
  return id;
}

const read = (projectId: string, query: Partial<Query> = {}) =>
  at.owner.client.call(readLogEntries, { params: { projectId }, query: { ...lastMonth(), ...query } });
const textsOf = (entries: LogEntry[]) => entries.map(({ text }) => text);

describe('a log', () => {
  it('is returned newest first, a hundred entries by default', async () => {
    const projectId = await aLog(Array.from({ length: 130 }, (_, i) => ({ ts: ago(i * 1000) })));
    const entries = await read(projectId);
    expect(entries).toHaveLength(100);
    expect(entries.map(({ ts }) => ts)).toEqual(
      entries
        .map(({ ts }) => ts)
        .toSorted()
        .toReversed(),
    );
    expect(await read(projectId, { maxEntries: 5 })).toEqual(entries.slice(0, 5));
  });

  it('has who did what, the values before and after, and whether support acted', async () => {
    const project = await at.world.aProject(at.owner, 'Old name');
    await at.owner.client.call(editProject, {
      params: { projectId: project.id },
      body: { name: 'New name' },
    });
    const [entry] = await read(project.id);
    expect(entry).toMatchObject({
      level: 2,
      action: 'editProject',
      actor: { callerType: 'developer', id: at.owner.developer.id, displayName: 'Ada Lovelace' },
      text: 'Settings of project New name changed',
      detail: { before: { name: 'Old name' }, after: { name: 'New name' } },
    });
    const actor = { ...someone, bySudoer: true as const };
    const projectId = await aLog([{ actor }]);
    expect((await read(projectId))[0]?.actor).toEqual(actor);
  });

  it('includes entries at its begin and excludes those at its end', async () => {
    const [first, second] = [ago(2 * minuteMs), ago(minuteMs)];
    const projectId = await aLog([
      { ts: first, text: 'first' },
      { ts: second, text: 'second' },
    ]);
    const between = (begin: Date, end: Date) =>
      read(projectId, { begin: begin.toISOString(), end: end.toISOString() });
    expect(textsOf(await between(first, second))).toEqual(['first']);
  });

  it.each([
    ['2026-01-02T00:00:00Z', '2026-01-02T00:00:00Z'],
    ['2026-01-03T00:00:00Z', '2026-01-02T00:00:00Z'],
    ['2026-01-02T01:00:00+02:00', '2026-01-01T23:00:00Z'],
    ['2020-01-01T00:00:00Z', '2026-01-01T00:00:00Z'],
    ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z'],
  ])('refuses the range from %s to %s', async (begin, end) => {
    const projectId = await aLog([]);
    const query = { begin, end };
    await failing(at.owner.client.call(readLogEntries, { params: { projectId }, query }), 'INVALID_RANGE');
  });

  it.each([
    'infinity',
    '2026-02-30T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01T00:00:60Z',
    '2026-01-01T00:00:00',
    '2026-01-01',
    '275760-09-13T00:00:00Z',
    'now',
  ])('refuses the time %s', async begin => {
    const projectId = await aLog([]);
    const error = await failing(read(projectId, { begin }), 'INVALID_RANGE');
    expect(error.fields).toEqual({ begin: 'INVALID' });
  });

  it.each(['0', '1000', '-1', '1e2', '5 ', 'all'])('refuses a page of %s entries', async maxEntries => {
    const projectId = await aLog([]);
    const query = new URLSearchParams({ ...(lastMonth() as Record<string, string>), maxEntries });
    const response = await at.owner.fetch(`${at.world.url}/api/projects/${projectId}/logEntries?${query}`);
    expect(response.status).toBe(400);
  });

  it('of another project is not returned, and cannot be reached through its ids', async () => {
    const mine = await aLog([{ text: 'mine', ts: ago(minuteMs) }]);
    const theirs = await aLog([{ text: 'theirs' }]);
    const [foreign] = await read(theirs);
    const after = textsOf(await read(mine, { after: foreign?.id }));
    expect(after).toContain('mine');
    expect(after).not.toContain('theirs');
    expect(await read(mine, { text: 'theirs' })).toEqual([]);
    const bob = await at.world.aDeveloper();
    const asBob = bob.client.call(readLogEntries, { params: { projectId: mine }, query: lastMonth() });
    await failing(asBob, 'NOT_A_MEMBER');
  });

  it('of HTTP calls is a separate log', async () => {
    const projectId = await aLog([{ text: 'audit' }, { text: 'call', stream: 'http' }]);
    const entries = await at.owner.client.call(readHttpLogEntries, {
      params: { projectId },
      query: lastMonth(),
    });
    expect(textsOf(entries)).toEqual(['call']);
    expect(textsOf(await read(projectId))).not.toContain('call');
  });
});

describe('a filter', () => {
  it('by actor, action and level finds entries that match all of them', async () => {
    const other = { ...someone, id: 'dvl_other' };
    const projectId = await aLog([
      { text: 'a', level: 0 },
      { text: 'b', level: 1, actor: other, action: 'other' },
      { text: 'c', level: 2, actor: other },
      { text: 'd', level: 3, action: 'other' },
    ]);
    const found = async (query: Partial<Query>) =>
      textsOf(await read(projectId, query)).filter(t => t.length === 1);
    expect((await found({ actor: 'dvl_other' })).toSorted()).toEqual(['b', 'c']);
    expect((await found({ action: 'other' })).toSorted()).toEqual(['b', 'd']);
    expect((await found({ level: 1 })).toSorted()).toEqual(['a', 'b']);
    expect(await found({ actor: 'dvl_other', action: 'other', level: 1, text: 'B' })).toEqual(['b']);
    expect(await found({ actor: 'dvl_othe' })).toEqual([]);
  });

  it.each([
    ['100%', '100% done', '100 done'],
    ['a_b', 'a_b', 'axb'],
    ['\\', 'back\\slash', 'slash'],
    ["'; drop", "x'; drop table", 'drop'],
    ['"quoted"', 'so "quoted"', 'quoted'],
    ['two\nlines', 'two\nlines', 'two lines'],
    ['ZOË', 'by zoë', 'by zoe'],
    ['שלום', 'say שלום', 'say'],
    ['🛥', 'a 🛥', 'a'],
    ['删除', '设备已删除', '设备'],
    ['[a-z]+', 'the [a-z]+ rule', 'abc'],
  ])(
    'for %j finds the literal text in the sentence and in the changed values',
    async (text, there, elsewhere) => {
      const projectId = await aLog([
        { text: there },
        { text: elsewhere },
        { text: 'changed', detail: { after: { name: there } } },
        { text: 'other', detail: { after: { name: elsewhere } } },
      ]);
      expect(textsOf(await read(projectId, { text })).toSorted()).toEqual([there, 'changed'].toSorted());
    },
  );

  it('finds the same entries through blocks as by reading every entry', async () => {
    const { id: projectId } = await at.world.aProject(at.owner);
    const given = Array.from({ length: 5 * blockSize - 1 }, (_, i) => ({
      ts: ago(-minuteMs * (5 + Math.floor(i / 3))),
      level: i % 500 === 7 ? 0 : 2,
      actor: { ...someone, id: `dvl_${i % 900}` },
      action: `action${i % 800}`,
      text: `Device ${(i * 7919) % 1000} changed`,
      detail: { address: `203.0.113.${i % 250}`, note: `needle ${(i * 7919) % 853}.` },
    }));
    // Written in a different order than that of their times: two blocks, then three that overlap them, as after long
    // transactions, and a few entries that do not fill a block.
    const first = given.filter((_, i) => (i * 31) % 5 < 2).slice(0, 2 * blockSize - 1);
    const others = given.filter(entry => !first.includes(entry));
    const tail = Array.from({ length: 40 }, (_, i) => ({ ts: ago(-minuteMs * i), text: 'tail' }));
    const seal = async () => {
      const sealer = new Sealer(at.world.platform);
      await sealer.run();
      await sealer.stop();
    };
    for (const entries of [first, others, tail]) {
      await writeEntries(at.world.platform, projectId, entries);
      await seal();
    }
    const blocks = () =>
      at.world.platform.db.one<{ count: number }>(
        sql`select count(*)::int as count from audit_blocks where project_id = ${projectId}`,
      );
    // The sealer of the server may be sealing at the same time.
    await expect.poll(() => seal().then(blocks)).toEqual({ count: 5 });
    const all = await readAll(projectId, {});
    expect(all).toHaveLength(given.length + tail.length + 1);
    const has = (text: string) => (e: LogEntry) => JSON.stringify([e.text, e.detail]).includes(text);
    const filters: [Partial<Query>, (entry: LogEntry) => boolean][] = [
      ...Array.from({ length: 60 }, (_, i): [Partial<Query>, (entry: LogEntry) => boolean] => [
        { text: `needle ${i * 14}.` },
        has(`needle ${i * 14}.`),
      ]),
      [{ text: '203.0.113.77' }, has('203.0.113.77')],
      [{ text: 'DEVICE 5' }, e => e.text.startsWith('Device 5')],
      [{ text: 'tail' }, has('tail')],
      [{ text: 'no such thing' }, () => false],
      [{ actor: 'dvl_3' }, e => e.actor.id === 'dvl_3'],
      [{ action: 'action77' }, e => e.action === 'action77'],
      [{ level: 1 }, e => e.level <= 1],
      [{ level: 1, text: 'needle 8' }, e => e.level <= 1 && has('needle 8')(e)],
    ];
    for (const [query, fits] of filters) {
      expect(await readAll(projectId, query), JSON.stringify(query)).toEqual(all.filter(fits));
    }
  });

  it('that runs out of time reports how far it came, and continuing from there finds each entry once', async () => {
    const projectId = await aLog(
      Array.from({ length: 3000 }, (_, i) => ({
        ts: ago(Math.floor(i / 7) * 1000),
        text: i % 5 ? 'no' : `x${i}`,
      })),
    );
    const found: string[] = [];
    let end: string | undefined = ago(-minuteMs).toISOString();
    let rounds = 0;
    while (end) {
      const { begin } = lastMonth();
      const sought = soughtIn({ projectId, stream: 'audit' }, { begin, end, text: 'x' });
      const step = await readEntries(at.world.platform.db, sought, { maxEntries: 999 }, 0);
      found.push(...textsOf(step.entries));
      end = step.searchedTo?.toISOString();
      rounds += 1;
    }
    expect(rounds).toBeGreaterThan(2);
    expect(found.filter(text => text.startsWith('x')).toSorted()).toEqual(
      Array.from({ length: 600 }, (_, i) => `x${i * 5}`).toSorted(),
    );
  });
});

describe('page by page', () => {
  it('each entry is returned once, while others are being written', async () => {
    const ts = ago(dayMs);
    const projectId = await aLog(
      Array.from({ length: 300 }, (_, i) => ({ ts: new Date(ts.getTime() + (i >> 3)) })),
    );
    const before = (await readAll(projectId, {})).map(({ id }) => id);
    const met: string[] = [];
    for (let after: string | undefined; ; ) {
      const page: LogEntry[] = await read(projectId, { maxEntries: 15, ...(after && { after }) });
      met.push(...page.map(({ id }) => id));
      after = page.at(-1)?.id;
      if (!after) break;
      await writeEntries(at.world.platform, projectId, [{ text: 'meanwhile' }, { text: 'meanwhile' }]);
    }
    expect(met).toEqual(before);
  });

  it.each(['', 'log_', 'log_zzz', "' or 1=1", 'prj_01k9x000000000000000000000', '%00'.repeat(3)])(
    'the position %j is refused',
    async after => {
      const projectId = await aLog([]);
      const query = new URLSearchParams({ ...(lastMonth() as Record<string, string>), after });
      const response = await at.owner.fetch(`${at.world.url}/api/projects/${projectId}/logEntries?${query}`);
      expect(response.status).toBe(400);
    },
  );
});

async function readAll(projectId: string, query: Partial<Query>): Promise<LogEntry[]> {
  const all: LogEntry[] = [];
  for (;;) {
    const after = all.at(-1)?.id;
    const page = await read(projectId, { ...query, maxEntries: 999, ...(after && { after }) });
    all.push(...page);
    if (page.length < 999) return all;
  }
}
