import { z } from 'zod';
import { idMax } from '#rules/chosenId.ts';
import { endpoint } from './endpoint.ts';
import { ModuleEvent } from './moduleRun.ts';
import { jsonObject, time } from './shapes.ts';
import { frostRule, moduleFields } from './smartModule.ts';

export const replayHoursMax = 24;
export const replayEventsMax = 1_000_000;
export const replayRowsMax = 100;
/** How long a result is kept. */
export const replayMinutes = 10;
/** The maximum number of concurrent replays per project. */
export const replaysMax = 2;

/** `same`: both versions act. `new`: the saved version would not have acted. `gone`: only the saved version acts. */
export const replayKinds = ['same', 'new', 'gone'] as const;
const hits = { same: z.number().int(), new: z.number().int(), gone: z.number().int() };

const ReplayedDevice = z.object({ id: z.string(), tag: z.string(), name: z.string() });
const ReplayPart = z.object({ isOk: z.boolean(), what: z.string(), value: z.string().optional() });

export const ReplayRow = z.object({
  at: time,
  kind: z.enum(replayKinds),
  device: ReplayedDevice,
  event: ModuleEvent.pick({ id: true, name: true }),
  /** The parts of the condition with their values, as an explanation. */
  parts: z.array(ReplayPart),
  /** What the rule would do. */
  would: z.array(z.object({ action: z.string(), isOk: z.boolean(), summary: z.string() })),
  /** True: held back, because the rule had just acted for the device. */
  isHeld: z.boolean(),
});
export type ReplayRow = z.output<typeof ReplayRow>;

export const RuleReplay = z.object({
  id: z.string(),
  state: z.enum(['running', 'done', 'failed']),
  failure: z.string().optional(),
  begin: time,
  end: time,
  /** Events processed so far. */
  events: z.number().int(),
  devices: z.number().int(),
  devicesTotal: z.number().int(),
  /** True: the replay stopped after 1,000,000 events. */
  isCut: z.boolean(),
  hits: z.object(hits),
  held: z.number().int(),
  /** On how many devices the rule would have acted. */
  hitDevices: z.number().int(),
  /** For how many devices the condition is true at the end, and some of them; absent if it is about the event. */
  holding: z
    .object({
      devices: z.number().int(),
      some: z.array(z.object({ device: ReplayedDevice, parts: z.array(ReplayPart) })),
    })
    .optional(),
  /** The number of events for which the condition could not be evaluated, and the error of the first. */
  errors: z.number().int(),
  error: z.string().optional(),
  /** By hour, oldest first. */
  hours: z.array(z.object({ hour: time, ...hits })),
  /** The latest hits, newest first. */
  rows: z.array(ReplayRow),
  ms: z.number().int(),
});
export type RuleReplay = z.output<typeof RuleReplay>;

const inProject = ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER'] as const;
const view = { role: 'viewer', of: 'project' } as const;

export const replayRule = endpoint('replayRule', 'POST /projects/:projectId/smartModules/replay', {
  summary:
    'Replays the events of the last hours against the configuration of a rule. No action is carried out; actions with errors are left out. `readRuleReplay` returns the result so far.',
  access: view,
  body: z
    .strictObject({
      /** The saved rule to compare with. */
      moduleId: z.string().max(idMax).optional(),
      configData: jsonObject,
      subscribedEvents: moduleFields.subscribedEvents,
      deviceClasses: moduleFields.deviceClasses.optional(),
      dataSourceModules: moduleFields.dataSourceModules.optional(),
      hours: z.number().int().min(1).max(replayHoursMax).optional(),
      /** A name of your choice: a replay ends the one before it in the same series, as while a rule is being typed. */
      series: z
        .string()
        .min(1)
        .max(idMax)
        .optional()
        .meta({ examples: ['editor-1'] }),
    })
    .meta({ examples: [{ configData: frostRule, subscribedEvents: ['_state_'], hours: 24 }] }),
  answer: RuleReplay,
  reasons: [...inProject, 'INVALID_MODULE_CONFIG', 'TOO_LARGE', 'TOO_MANY_REPLAYS'],
  audit: null,
  limit: { count: 120, windowS: 600 },
  capability: 'canAdmin',
});

export const readRuleReplay = endpoint(
  'readRuleReplay',
  'GET /projects/:projectId/smartModules/replays/:replayId',
  {
    summary: 'Retrieves a replay and its result so far. The result is kept for 10 minutes.',
    access: view,
    answer: RuleReplay,
    reasons: [...inProject, 'REPLAY_NOT_FOUND'],
    capability: 'canAdmin',
  },
);

export const namedTypes = [
  'number',
  'text',
  'true or false',
  'time',
  'duration',
  'list',
  'object',
  'any',
] as const;

const Named = z.object({
  /** As written in a condition: `state.temperature`. */
  path: z.string(),
  type: z.enum(namedTypes),
  summary: z.string().optional(),
  unit: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  /** The share of sampled devices that report the property, from 0 to 1. */
  share: z.number().optional(),
  /** How many of the sampled devices report the property. */
  devices: z.number().int().optional(),
  /** The values of a property that has only these. */
  choices: z.array(z.string()).optional(),
});
export type RuleName = z.output<typeof Named>;

export const RuleNames = z.object({
  /** All classes, the largest first, each with its number of devices. */
  classes: z.array(
    z.object({ id: z.string().meta({ examples: ['thermostat'] }), devices: z.number().int() }),
  ),
  /** The number of devices whose states were sampled for the properties. */
  sampled: z.number().int(),
  properties: z.array(Named),
  /** Variables that are available for every event and device. */
  variables: z.array(Named),
  /** Those that have a schema or came in the last 24 hours, with their number then, and those of the platform. */
  events: z.array(
    z.object({
      name: z.string(),
      summary: z.string().optional(),
      fields: z.array(Named),
      count: z.number().int().optional(),
    }),
  ),
  commands: z.array(z.string()),
  functions: z.array(z.object({ name: z.string(), usage: z.string(), summary: z.string() })),
});
export type RuleNames = z.output<typeof RuleNames>;

export const readRuleNames = endpoint('readRuleNames', 'GET /projects/:projectId/ruleNames', {
  summary:
    'Lists the names that conditions can use, with how often they occur: properties of the state, events, commands and functions.',
  access: view,
  query: z.strictObject({
    /** Comma-separated ids of classes; absent: all. */
    deviceClasses: z
      .string()
      .max(50 * (idMax + 1))
      .optional(),
  }),
  answer: RuleNames,
  reasons: inProject,
  capability: 'canAdmin',
});
