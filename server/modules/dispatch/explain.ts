import type { Explanation, explainModule } from '#contract/moduleRun.ts';
import { Problem } from '#contract/problem.ts';
import { causedHopsMax } from '#rules/modules/moduleLimits.ts';
import { minuteMs } from '#rules/time/durations.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { type DeviceThen, devicesOf } from '#server/modules/events/eventDevices.ts';
import type { StoredEvent } from '#server/modules/events/eventSources.ts';
import { findEvent, findEvents } from '#server/modules/events/findEvents.ts';
import { joinDevice, type RunRow, runColumns, toRun } from '#server/modules/runs/runRows.ts';
import { openModule } from '#server/modules/smartModules/store.ts';
import { typeOf } from '#server/modules/types/moduleTypes.ts';
import { deafness, heardOf, isTooFar, toChosen, toModuleEvent } from './matchEvents.ts';
import { knownModule } from './moduleRegistry.ts';

type Step = Explanation['steps'][number];

/** An event with its device. */
export async function eventAsked(
  db: Db,
  projectId: string,
  { eventId, deviceId }: { eventId: string; deviceId?: string | undefined },
): Promise<{ event: StoredEvent; then: DeviceThen }> {
  const event =
    deviceId === undefined
      ? await findEvent(db, projectId, eventId)
      : (await findEvents(db, [{ projectId, deviceId, id: eventId }])).get(eventId);
  const then = event && (await devicesOf(db, [event])).get(event.deviceId);
  if (!event || !then) throw new Problem('EVENT_NOT_FOUND');
  return { event, then };
}

/** Explains why a module ran for an event or did not, with the same steps that the event went through. */
export async function explain(call: Call<typeof explainModule>): Promise<Explanation> {
  const { db, platform, row, query } = call;
  const { event, then } = await eventAsked(db, row.projectId, query);
  const type = typeOf(row.moduleType);
  const since = await db.one<{ tx: string }>(sql`
    select since_tx::text as tx from smart_modules where project_id = ${row.projectId} and id = ${row.id}`);
  const known = knownModule({ ...row, sinceTx: since?.tx ?? '0' }, type, platform);
  const steps = stepsBefore(known, event, then, {
    isSuspended: row.suspended,
    takesEvents: type.takesEvents,
  });
  const isHeard = steps.every(({ isOk }) => isOk);
  const explained = isHeard
    ? await type.explain?.(
        toChosen({ event, known: { ...known, module: openModule(platform, row) } }, then),
        platform,
      )
    : undefined;
  const isChosen = isHeard && (explained?.hit ?? true);
  // As in the dispatch, only what would act is stopped: what an event ends is ended also at the end of a chain.
  const chain = isChosen && !type.causesNothing ? [chainStep(event)] : [];
  const run = await runFor(
    db,
    row,
    event,
    platform.newId('run', new Date(event.ts.getTime() - clocksApartMs)),
  );
  return {
    event: toModuleEvent(event),
    hit: isChosen && chain.every(({ isOk }) => isOk),
    steps: [...steps, ...(explained?.steps ?? []), ...chain],
    ...(run && { run: toRun(run) }),
    ...(explained?.saw && { saw: explained.saw }),
  };
}

function stepsBefore(
  known: ReturnType<typeof knownModule>,
  event: StoredEvent,
  { device }: DeviceThen,
  { isSuspended, takesEvents }: { isSuspended: boolean; takesEvents: boolean },
): Step[] {
  const names = known.module.subscribedEvents.join(', ');
  const classes = known.module.deviceClasses.join(' or ');
  const only = (why: ReturnType<typeof deafness>) =>
    deafness(
      {
        sinceTx: why === 'older' ? known.sinceTx : -1n,
        names: why === 'name' ? known.names : undefined,
        classes: why === 'class' ? known.classes : undefined,
      },
      heardOf(event),
      device.deviceClass,
    ) === undefined;
  return [
    step(takesEvents, ['Modules of this type receive events', 'Modules of this type receive no events']),
    step(!isSuspended, ['The module is not suspended', 'The module is suspended']),
    step(only('older'), [
      'It happened after the module was created or resumed',
      'It happened before the module was created or resumed',
    ]),
    known.names
      ? step(
          only('name'),
          [`It has one of the names ${names}`, `It has none of the names ${names}`],
          event.name,
        )
      : step(true, ['The module receives all events', ''], event.name),
    known.classes
      ? step(
          only('class'),
          [`The device is of class ${classes}`, `The device is not of class ${classes}`],
          device.deviceClass,
        )
      : step(true, ['The module receives events of all classes', ''], device.deviceClass),
  ];
}

const chainStep = (event: StoredEvent): Step =>
  step(
    !isTooFar(event),
    [
      `It was not caused by a chain of ${causedHopsMax} modules`,
      `It was caused by a chain of ${causedHopsMax} modules`,
    ],
    String(event.causedBy.length),
  );

/** A step states a fact, not a requirement. */
function step(isOk: boolean, [yes, no]: readonly [string, string], value?: string): Step {
  return { isOk, what: isOk ? yes : no, ...(value !== undefined && { value }) };
}

const clocksApartMs = minuteMs;

/** The run for the event, preferring one that is not a test. Ids sort by time: none is older than `from`. */
function runFor(
  db: Db,
  { projectId, id }: { projectId: string; id: string },
  event: StoredEvent,
  from: string,
): Promise<RunRow | undefined> {
  return db.one<RunRow>(sql`
    select ${runColumns} from module_runs r ${joinDevice}
    where r.project_id = ${projectId} and r.device_id = ${event.deviceId} and r.id >= ${from}
      and r.module_id = ${id} and r.event_id = ${event.id}
    order by r.is_test, r.id limit 1`);
}
