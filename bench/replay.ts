import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { readRuleReplay, replayRule } from '#contract/ruleReplay.ts';
import { createSmartModule } from '#contract/smartModule.ts';
import { startPostgres } from '#server/infra/db/postgres.ts';
import { sql } from '#server/infra/db/sql.ts';
import { type Ours, startOurs } from './gateway/targets.ts';
import { ms, perS, report } from './report.ts';

const statesOf = { messages: 0.7, changes: 0.3 };
const idsAtOnce = 50;
const pollMs = 100;

const configOf = (limit: number) => ({
  condition: `event.payload.temperature > ${limit} && state.heating`,
  actions: [{ kind: 'alert', severity: 'warning', text: 'Too warm' }],
});

/**
 * Replays a rule against the last 24 hours and compares it with the saved one. `npm run bench -- replay 1000000 1000`:
 * events, devices.
 */
export async function run(words: string[]): Promise<void> {
  const [events = 1_000_000, devices = 1_000] = words.map(Number);
  const dataDir = mkdtempSync(join(tmpdir(), 'mooring-bench-'));
  const postgres = await startPostgres({ dataDir, log: { warn: console.warn } });
  const ours = await startOurs(dataDir, postgres.url, devices);
  try {
    await seed(ours, events / devices);
    console.log('Seeded.');
    tell({ events, devices }, await replayed(ours));
  } finally {
    await ours.stop();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Each device reports measurements, and its heating turns on and off, evenly over the last 24 hours. */
async function seed({ db, projectId, identities }: Ours, eachHas: number): Promise<void> {
  const ids = identities.map(({ id }) => id);
  const times = (share: number) => sql`
    generate_series(0, ${Math.round(eachHas * share) - 1}) n cross join lateral (
      select now() - interval '24 hours' + interval '23 hours 59 minutes' * n / ${Math.round(eachHas * share)} as ts) at`;
  for (let first = 0; first < ids.length; first += idsAtOnce) {
    const some = ids.slice(first, first + idsAtOnce);
    await db.run(sql`
      insert into device_events (project_id, device_id, ts, id, name, payload)
      select ${projectId}, d.id, at.ts, 'evt_' || d.id || '_' || n, 'measured',
        json_build_object('temperature', round((20 + 15 * sin(n * 0.7 + d.nth))::numeric, 1), 'humidity', 40)
      from unnest(${some}::text[]) with ordinality as d (id, nth), ${times(statesOf.messages)}
      order by at.ts`);
    await db.run(sql`
      insert into state_reports (project_id, device_id, ts, patch, undo)
      select ${projectId}, d.id, at.ts, json_build_object('heating', n % 2 = 0), json_build_object('heating', n % 2 = 1)
      from unnest(${some}::text[]) as d (id), ${times(statesOf.changes)}
      order by at.ts`);
  }
  await db.run(sql`
    insert into device_states (project_id, device_id, reported, reported_at)
    select ${projectId}, id, '{"heating": true}', now() from unnest(${ids}::text[]) as id`);
  for (const table of [sql`device_events`, sql`state_reports`, sql`device_states`])
    await db.run(sql`analyze ${table}`);
}

interface Replayed {
  firstMs: number;
  firstEvents: number;
  doneMs: number;
  events: number;
  hits: number;
}

async function replayed({ owner: { client }, projectId }: Ours): Promise<Replayed> {
  const subscribedEvents = ['measured'];
  await client.call(createSmartModule, {
    params: { projectId },
    body: { id: 'warm', moduleType: 'rule', subscribedEvents, configData: configOf(34) },
  });
  const startedMs = performance.now();
  const { id: replayId } = await client.call(replayRule, {
    params: { projectId },
    body: { moduleId: 'warm', subscribedEvents, configData: configOf(34.5) },
  });
  for (let first: { ms: number; events: number } | undefined; ; await wait(pollMs)) {
    const { state, events, hits, failure } = await client.call(readRuleReplay, {
      params: { projectId, replayId },
    });
    const nowMs = performance.now() - startedMs;
    if (state === 'failed') throw new Error(failure);
    if (events > 0) first ??= { ms: nowMs, events };
    if (state !== 'done') continue;
    return {
      firstMs: first?.ms ?? nowMs,
      firstEvents: first?.events ?? 0,
      doneMs: nowMs,
      events,
      hits: hits.same + hits.new + hits.gone,
    };
  }
}

function tell(size: { events: number; devices: number }, found: Replayed): void {
  report({
    title: 'Replay of a rule',
    command: `npm run bench -- replay ${size.events} ${size.devices}`,
    head: ['', 'measured', 'bar'],
    rows: [
      ['from the call to its first results', ms(found.firstMs), '≤ 2,000 ms'],
      ['from the call to its end', ms(found.doneMs), '≤ 60,000 ms'],
      ['events processed', perS((found.events / found.doneMs) * 1000), ''],
    ],
    notes: [
      `${found.events.toLocaleString('en')} events of 24 hours and ${size.devices} devices, of which 30 % are state changes; ${found.hits.toLocaleString('en')} hits. The saved version is evaluated beside the new one. The first results covered ${found.firstEvents.toLocaleString('en')} events.`,
      'Server and database share the machine.',
    ],
  });
}
