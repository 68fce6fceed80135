import { parkAfter } from '#rules/modules/moduleLimits.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { isTooFar, type Match, tooFarSummary } from '#server/modules/dispatch/matchEvents.ts';
import { keyOf, type ModuleRegistry } from '#server/modules/dispatch/moduleRegistry.ts';
import { parkModule, tooManyWaiting } from '#server/modules/dispatch/parkModule.ts';
import { countRuns, runCounts } from '#server/modules/runs/countRuns.ts';
import { insertRuns, type NewRun } from '#server/modules/runs/insertRuns.ts';
import { waitingCounts } from '#server/modules/runs/waitingRuns.ts';
import type { Choice } from '#server/modules/smartModules/moduleType.ts';
import type { Considered } from './considerMatches.ts';

/** Number of runs stored for events on which a module could not decide; all are counted. */
const undecidedMax = 20;
const summaryMax = 300;

interface Storing {
  platform: Platform;
  book: ModuleRegistry;
  /** How many runs wait for a module, by `keyOf`. */
  waiting: (key: string) => number;
}

/** Stores the runs for events, but of projects that are late; returns those that wait for their turn. */
export async function storeRuns(db: Db, given: Storing, { groups, late }: Considered): Promise<NewRun[]> {
  const { platform } = given;
  const now = platform.clock();
  const open = groups.map(({ pairs, choosing }) => ({
    pairs: pairs.filter(({ match }) => !late.has(match.event.projectId)),
    choosing,
  }));
  const active = await lockActive(
    db,
    open.flatMap(({ pairs }) => pairs.map(({ match }) => match)),
  );
  const made: NewRun[] = [];
  for (const { pairs, choosing } of open) {
    const there = pairs.filter(({ match: { known } }) => active.has(keyOf(known.module)));
    const choices = await choosing.decide(
      db,
      there.map(({ chosen }) => chosen),
    );
    made.push(...there.flatMap(({ match }, at) => runOf(match, choices[at], { newId: platform.newId, now })));
  }
  const { kept, discarded } = await withinRoom(db, made, given);
  await insertRuns(db, kept, now);
  await countRuns(db, runCounts([...made.filter(({ state }) => state !== 'waiting'), ...discarded]), now);
  return kept.filter(({ state }) => state === 'waiting');
}

/** The modules that are not suspended. The lock keeps them from being suspended until this transaction ends. */
async function lockActive(db: Db, matches: readonly Match[]): Promise<Set<string>> {
  const modules = [...new Set(matches.map(({ known }) => known.module))];
  const rows = await db.many<{ projectId: string; id: string }>(sql`
    select s.project_id as "projectId", s.id from smart_modules s
    join unnest(${modules.map(one => one.projectId)}::text[], ${modules.map(one => one.id)}::text[]) as m (project_id, id)
      on s.project_id = m.project_id and s.id = m.id
    where not s.suspended order by s.project_id, s.id for share of s`);
  return new Set(rows.map(keyOf));
}

function runOf(
  { event, known }: Match,
  choice: Choice | undefined,
  { newId, now }: Pick<Platform, 'newId'> & { now: Date },
): NewRun[] {
  if (!choice || ('hit' in choice && !choice.hit)) return [];
  const { projectId, id: moduleId } = known.module;
  const { deviceId, seq, causedBy } = event;
  const run = { id: newId('run', now), projectId, moduleId, seq, deviceId, event, causedBy };
  if ('error' in choice) {
    const summary = choice.error.slice(0, summaryMax);
    return [
      { ...run, state: 'failed', summary, attempt: { at: now.toISOString(), ms: 0, isOk: false, summary } },
    ];
  }
  const isStopped = isTooFar(event) && !known.type.causesNothing && !choice.causesNothing;
  return [isStopped ? { ...run, state: 'dropped', summary: tooFarSummary } : { ...run, state: 'waiting' }];
}

/** Drops runs beyond a module's limit: they are only counted, and the module is parked. */
async function withinRoom(db: Db, made: readonly NewRun[], { platform, book, waiting }: Storing) {
  const byModule = [...Map.groupBy(made, run => keyOf({ projectId: run.projectId, id: run.moduleId }))];
  const known = byModule.flatMap(([, [run]]) => (run && book.find(run.projectId, run.moduleId)) ?? []);
  // The runs of parked modules are not in memory.
  const counts = await waitingCounts(
    db,
    known.filter(({ isParked }) => isParked).map(({ module }) => module),
    platform.clock(),
  );
  const kept: NewRun[] = [];
  const discarded: { projectId: string; moduleId: string; state: 'dropped' }[] = [];
  for (const [key, runs] of byModule) {
    let room = parkAfter.waiting - (counts.get(key) ?? waiting(key));
    let undecided = undecidedMax;
    let isFull = false;
    for (const run of runs) {
      if (run.state === 'failed' ? undecided-- > 0 : run.state !== 'waiting' || room-- > 0) kept.push(run);
      else if (run.state === 'waiting') {
        isFull = true;
        discarded.push({ projectId: run.projectId, moduleId: run.moduleId, state: 'dropped' });
      }
    }
    const [first] = runs;
    if (isFull && first && !counts.has(key)) {
      const one = { projectId: first.projectId, id: first.moduleId, because: tooManyWaiting };
      await parkModule(db, platform, one);
    }
  }
  return { kept, discarded };
}
