import type { Attempt, testSmartModule } from '#contract/moduleRun.ts';
import { Problem } from '#contract/problem.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { type Db, empty, sql } from '#server/infra/db/sql.ts';
import { type DeviceThen, devicesOf } from '#server/modules/events/eventDevices.ts';
import type { StoredEvent } from '#server/modules/events/eventSources.ts';
import { latestEvents } from '#server/modules/events/listEvents.ts';
import { countRuns, runCounts } from '#server/modules/runs/countRuns.ts';
import { insertRuns } from '#server/modules/runs/insertRuns.ts';
import type { Outcome } from '#server/modules/smartModules/moduleType.ts';
import { openModule, type StoredModule } from '#server/modules/smartModules/store.ts';
import { typeOf } from '#server/modules/types/moduleTypes.ts';
import { timed } from './doRun.ts';
import { eventAsked } from './explain.ts';
import { toChosen } from './matchEvents.ts';
import { knownModule } from './moduleRegistry.ts';

interface Tested {
  attempt: Attempt;
  isHeld: boolean;
  event: StoredEvent | undefined;
  runId: string;
}

/** Runs before the transaction, because requests to other servers may be slow. */
export async function tryModule(call: Call<typeof testSmartModule>): Promise<Tested> {
  const { db, platform, row, body, now } = call;
  const type = typeOf(row.moduleType);
  const asked =
    body.eventId === undefined
      ? await latestFor(db, row)
      : await eventAsked(db, row.projectId, { ...body, eventId: body.eventId });
  const module = openModule(platform, row);
  const known = knownModule({ ...row, sinceTx: '0' }, type, platform);
  const chosen = asked && toChosen({ event: asked.event, known }, asked.then);
  const runId = platform.newId('run', now);
  const run = async (): Promise<Outcome> => {
    if (type.test)
      return type.test(
        { runId, module, ...(chosen && { event: chosen }), act: body.act ?? false, now },
        platform,
      );
    if (!chosen) throw new Problem('NOTHING_TO_TEST');
    const signal = AbortSignal.timeout(testMaxMs);
    return type.run({ ...chosen, runId, attempt: 1, isTest: true, now, signal }, platform);
  };
  if (!type.test && !chosen) throw new Problem('NOTHING_TO_TEST');
  const { attempt, outcome } = await timed(platform, now, run);
  return { attempt, isHeld: outcome.isHeld ?? false, event: asked?.event, runId };
}

const testMaxMs = 30_000;

/** Stores the test like any other run. */
export async function storeTest(
  { db, row, now }: Call<typeof testSmartModule>,
  { attempt, isHeld, event, runId }: Tested,
): Promise<Attempt> {
  const run = {
    id: runId,
    projectId: row.projectId,
    moduleId: row.id,
    seq: event?.seq ?? null,
    state: isHeld ? ('held' as const) : attempt.isOk ? ('done' as const) : ('failed' as const),
    isTest: true,
    attempt,
    deviceId: event?.deviceId ?? null,
    event,
    causedBy: event?.causedBy ?? [],
    summary: attempt.summary,
  };
  await insertRuns(db, [run], now);
  await countRuns(db, runCounts([run]), now);
  return attempt;
}

/** The newest event that the module is subscribed to. */
async function latestFor(
  db: Db,
  { projectId, subscribedEvents, deviceClasses }: StoredModule,
): Promise<{ event: StoredEvent; then: DeviceThen } | undefined> {
  const names = subscribedEvents.map(name => name.toLowerCase());
  if (names.length === 0) return undefined;
  const [event] = await latestEvents(db, {
    projectId,
    devices: deviceClasses.length > 0 ? sql`and p.device_class = any(${deviceClasses})` : empty,
    events: names.includes('*') ? empty : sql`where lower(e.name) = any(${names})`,
    before: undefined,
    max: 1,
  });
  const then = event && (await devicesOf(db, [event])).get(event.deviceId);
  return event && then && { event, then };
}
