import { z } from 'zod';
import { idMax } from '#rules/chosenId.ts';
import { endpoint } from './endpoint.ts';
import { countUpTo } from './paging.ts';
import { jsonObject, jsonValue, moment, time } from './shapes.ts';
import { ModuleActivity } from './smartModule.ts';

export const moduleRunsPageMax = 100;

/**
 * The states of a run, which handles one event or one scheduled time. `waiting` for its first attempt, its turn, its
 * next attempt, or until it is due after it was postponed; `done`; `failed`: given up; `held`: not executed because the
 * module had just acted for this device, or because there is nobody to notify; `dropped`: discarded because the module
 * was suspended, or because at the end of a chain of modules it could cause a further event.
 */
export const runStates = ['waiting', 'done', 'failed', 'held', 'dropped'] as const;

/** An event as modules receive it. Names wrapped in underscores are the platform's own events. */
export const ModuleEvent = z.object({
  /** The id of the event; `stc_…` for state changes. */
  id: z.string(),
  ts: time,
  name: z.string(),
  deviceId: z.string(),
  payload: jsonValue,
});
export type ModuleEvent = z.output<typeof ModuleEvent>;

/** The platform's own events by name, with their payloads. */
export const platformEvents = {
  _state_: 'The reported state changed; the payload is what changed.',
  _desired_: 'The desired state changed; the payload is the desired state.',
  _connected_: 'The device connected.',
  _disconnected_: 'The device disconnected; the payload has the reason.',
  _alert_: 'An alert was raised; the payload is the alert.',
  _command_: 'A command ended; the payload is the command with its stage.',
  _added_: 'The device was added to a home.',
  _removed_: 'The device was removed from its home.',
} as const;

export const ModuleRun = z.object({
  id: z.string(),
  moduleId: z.string(),
  state: z.enum(runStates),
  /** Only for scheduled runs, which have no event, and for postponed ones: when the run was due. */
  dueAt: time.optional(),
  event: ModuleEvent.omit({ payload: true }).optional(),
  device: z.object({ id: z.string(), tag: z.string(), name: z.string() }).optional(),
  /** True: started by a person. */
  isTest: z.boolean(),
  attempts: z.number().int(),
  createdAt: time,
  /** The last attempt. */
  lastAt: time.optional(),
  ms: z.number().optional(),
  /** The result of the last attempt, in a few words: `200 in 41 ms`, `setTarget sent`. */
  summary: z.string(),
  nextAt: time.optional(),
});
export type ModuleRun = z.output<typeof ModuleRun>;

export const Attempt = z.object({
  at: time,
  ms: z.number(),
  isOk: z.boolean(),
  summary: z.string(),
  /** For outgoing calls: request and answer, with secrets masked and bodies truncated to 16 KiB. */
  sent: z
    .object({
      method: z.string(),
      url: z.string(),
      headers: z.record(z.string(), z.string()),
      body: z.string(),
    })
    .optional(),
  answered: z
    .object({ status: z.number().int(), headers: z.record(z.string(), z.string()), body: z.string() })
    .optional(),
  /** For rules: the result of each action, in order. */
  actions: z.array(z.object({ action: z.string(), isOk: z.boolean(), summary: z.string() })).optional(),
});
export type Attempt = z.output<typeof Attempt>;

export const ModuleRunDetail = ModuleRun.extend({
  payload: jsonValue.optional(),
  /** The runs that led to the event, first to last. `moduleId` is absent if the run no longer exists. */
  causedBy: z.array(z.object({ runId: z.string(), moduleId: z.string().optional() })),
  history: z.array(Attempt),
});
export type ModuleRunDetail = z.output<typeof ModuleRunDetail>;

const reasons = ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER', 'SMART_MODULE_NOT_FOUND'] as const;
const ofRun = [...reasons, 'MODULE_RUN_NOT_FOUND'] as const;
const path = '/projects/:projectId/smartModules/:moduleId' as const;
const view = { role: 'viewer', of: 'smartModule' } as const;
const change = { role: 'developer', of: 'smartModule' } as const;

export const listModuleRuns = endpoint('listModuleRuns', `GET ${path}/runs`, {
  summary: 'Lists the runs of a module, including those waiting, newest first. Runs are kept for 7 days.',
  access: view,
  query: z.strictObject({
    state: z.enum(runStates).optional(),
    deviceId: z.string().max(64).optional(),
    /** Searches in device, event name and id. */
    search: z.string().max(200).optional(),
    /** The id of the last run of the previous page. */
    after: z
      .string()
      .max(64)
      .meta({ examples: ['run_01kag4m8y2e6tvp0rm7n4s9cqd'] })
      .optional(),
    limit: countUpTo(moduleRunsPageMax).optional(),
  }),
  answer: z.array(ModuleRun),
  reasons,
  capability: 'canAdmin',
});

export const readModuleRun = endpoint('readModuleRun', `GET ${path}/runs/:runId`, {
  summary: 'Retrieves a run with its input and every attempt.',
  access: view,
  answer: ModuleRunDetail,
  reasons: ofRun,
  capability: 'canAdmin',
});

export const resendModuleRun = endpoint('resendModuleRun', `POST ${path}/runs/:runId/resend`, {
  summary: 'Repeats a run with the same id. A test of a rule or schedule is repeated without its actions.',
  access: change,
  answer: ModuleRun,
  reasons: [...ofRun, 'ROLE_TOO_LOW', 'MODULE_SUSPENDED'],
  audit: 'Run {runId} of smart module {moduleId} sent again',
  makesOld: ['smartModules'],
  capability: 'canAdmin',
});

export const recoverSmartModule = endpoint('recoverSmartModule', `POST ${path}/recover`, {
  summary:
    'Repeats everything that failed since a given time, in order for each device, and resumes a parked module. Returns the number of runs.',
  access: change,
  body: z.strictObject({ since: moment, dryRun: z.boolean().optional() }),
  answer: z.object({ count: z.number().int() }),
  reasons: [...reasons, 'ROLE_TOO_LOW', 'MODULE_SUSPENDED'],
  audit: 'Smart module {moduleId} recovers what failed since {since}',
  makesOld: ['smartModules'],
  capability: 'canAdmin',
});

export const testSmartModule = endpoint('testSmartModule', `POST ${path}/test`, {
  summary:
    'Tests a module with a past event, or with a sample. Webhooks, e-mails and fetches are really sent; a rule is evaluated, and its actions are carried out only with `act`.',
  access: change,
  body: z.strictObject({
    eventId: z.string().max(64).optional(),
    /** The device of the event, which speeds up finding the event. */
    deviceId: z.string().max(64).optional(),
    act: z.boolean().optional(),
  }),
  answer: Attempt,
  reasons: [...reasons, 'ROLE_TOO_LOW', 'EVENT_NOT_FOUND', 'NOTHING_TO_TEST'],
  audit: 'Smart module {moduleId} tested',
  makesOld: ['smartModules'],
  limit: { count: 60, windowS: 600 },
  capability: 'canAdmin',
});

export const figureRanges = ['24h', '7d', '30d'] as const;

/** The count of devices that a rule is about to act for stops here. */
export const holdingMax = 1_000;

export const ModuleFigures = ModuleActivity.extend({
  /** Grouped by hour; by day for 30 days. */
  range: z.enum(figureRanges),
  held: z.number().int(),
  dropped: z.number().int(),
  failedNow: z.number().int(),
  /** The delay from the event to the end of its run, in milliseconds: the median and the 99th percentile. */
  lagMs: z.object({ median: z.number(), p99: z.number() }).optional(),
  /** Runs per minute in the last hour. */
  perMinute: z.number(),
  /** The time of the oldest waiting run. */
  oldestWaiting: time.optional(),
  /**
   * Devices for which the condition of a rule holds, but not for long enough yet: how many (up to 1,000), and when the
   * rule acts next.
   */
  holding: z.object({ devices: z.number().int().max(holdingMax), actsAt: time }).optional(),
});
export type ModuleFigures = z.output<typeof ModuleFigures>;

export const readModuleFigures = endpoint('readModuleFigures', `GET ${path}/figures`, {
  summary: 'Counts the runs of a module and measures their delay.',
  access: view,
  query: z.strictObject({ range: z.enum(figureRanges).optional() }),
  answer: ModuleFigures,
  reasons,
  capability: 'canAdmin',
});

/** Why a module did or did not act on an event, step by step. The first step that is not ok decides. */
export const Explanation = z.object({
  event: ModuleEvent,
  hit: z.boolean(),
  steps: z.array(
    z.object({ isOk: z.boolean(), what: z.string(), /** Its value. */ value: z.string().optional() }),
  ),
  run: ModuleRun.optional(),
  /** The values that the condition used. */
  saw: jsonObject.optional(),
});
export type Explanation = z.output<typeof Explanation>;

export const explainModule = endpoint('explainModule', `GET ${path}/explanation`, {
  summary: 'Explains why a module did or did not act on an event.',
  access: view,
  query: z.strictObject({
    eventId: z.string().max(64),
    /** The device of the event, which speeds up finding the event. */
    deviceId: z.string().max(64).optional(),
  }),
  answer: Explanation,
  reasons: [...reasons, 'EVENT_NOT_FOUND'],
  capability: 'canAdmin',
});

export const listModuleEvents = endpoint('listModuleEvents', 'GET /projects/:projectId/moduleEvents', {
  summary:
    'Lists the latest events of a project as modules receive them, newest first: 100, and those of the same millisecond as the last of them. Continue with its `ts` as `before`.',
  access: { role: 'viewer', of: 'project' },
  query: z.strictObject({
    deviceId: z.string().max(64).optional(),
    deviceClass: z.string().max(idMax).optional(),
    name: z
      .string()
      .max(100)
      .meta({ examples: ['door'] })
      .optional(),
    before: moment.optional(),
  }),
  answer: z.array(
    ModuleEvent.extend({ device: z.object({ tag: z.string(), name: z.string(), deviceClass: z.string() }) }),
  ),
  reasons: ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER'],
  capability: 'canAdmin',
});
