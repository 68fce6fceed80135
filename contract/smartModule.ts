import { z } from 'zod';
import { chosenIdPattern, idMax } from '#rules/chosenId.ts';
import { eventNameMax, eventNamePattern } from '#rules/eventNames.ts';
import { subscribedEventsMax } from './app.ts';
import { endpoint } from './endpoint.ts';
import { ConfigDoc, ConfigFaults, ModuleConfigDoc, moduleTypeIds } from './moduleConfig.ts';
import { pagingQuery } from './paging.ts';
import { descriptionMax, jsonObject, revision, text, time } from './shapes.ts';

export const modulesMax = 100;
export const moduleConfigBytesMax = 64 * 1024;
export const dataSourcesMax = 10;
export const moduleClassesMax = 50;

export const SmartModuleType = z.object({
  id: z.enum(moduleTypeIds),
  name: z.string(),
  /** The purpose of the type, in one sentence. */
  summary: z.string(),
  /** The types of modules it can get data from; empty: it uses no data. */
  dataSourceModuleTypes: z.array(z.enum(moduleTypeIds)),
  /** True: `subscribedEvents` and `deviceClasses` select what it receives. */
  takesEvents: z.boolean(),
  /** True: it provides data that other modules refer to by its `bulkDataLabel`. */
  isDataSource: z.boolean(),
  /** True: `testSmartModule` can try it. */
  canBeTested: z.boolean(),
});
export type SmartModuleType = z.output<typeof SmartModuleType>;

/**
 * `running`. `suspended`: by a person, or by the platform with `suspendedBecause`; the module receives nothing.
 * `parked`: its runs wait, because it failed for too long; see `parkedBecause`.
 */
export const moduleStates = ['running', 'suspended', 'parked'] as const;

export const SmartModule = z.object({
  id: z.string(),
  projectId: z.string(),
  moduleType: z.enum(moduleTypeIds),
  description: z.string(),
  /** The names of the events it receives; `*` alone means all. */
  subscribedEvents: z.array(z.string()),
  /** The device classes whose events it receives; empty: all. */
  deviceClasses: z.array(z.string()),
  /** The name by which other modules refer to its data; empty: it provides none. */
  bulkDataLabel: z.string(),
  /** The modules whose data it uses. */
  dataSourceModules: z.array(z.string()),
  /** Its configuration. Secrets are left out. */
  configData: jsonObject,
  suspended: z.boolean(),
  suspendedBecause: z.string().optional(),
  suspendedAt: time.optional(),
  state: z.enum(moduleStates),
  parkedBecause: z.string().optional(),
  parkedAt: time.optional(),
  /**
   * Until when it rests, or rested, because one of its expressions had to be stopped, or its configuration could not be
   * read; see `restsBecause`. Meanwhile its events fail. Saving another configuration ends the rest.
   */
  restsUntil: time.optional(),
  restsBecause: z.string().optional(),
  createdAt: time,
  createdBy: z.string(),
  changedAt: time,
  revision,
});
export type SmartModule = z.output<typeof SmartModule>;

/** What a module did in the last 24 hours. */
export const ModuleActivity = z.object({
  done: z.number().int(),
  failed: z.number().int(),
  /** At present, not in the last 24 hours. */
  waiting: z.number().int(),
  lastAt: time.optional(),
  lastFailedAt: time.optional(),
  /** Since when it has been failing without a success in between. */
  failingSince: time.optional(),
  /** By hour, oldest first. */
  hours: z.array(z.object({ hour: time, done: z.number().int(), failed: z.number().int() })),
});
export type ModuleActivity = z.output<typeof ModuleActivity>;

export const SmartModuleRow = SmartModule.omit({ configData: true }).extend({ activity: ModuleActivity });
export type SmartModuleRow = z.output<typeof SmartModuleRow>;

const subscribedEvents = z
  .array(z.union([z.literal('*'), z.string().max(eventNameMax).regex(eventNamePattern)]))
  .max(subscribedEventsMax);
const id = z.string().max(idMax).regex(chosenIdPattern);
export const moduleFields = {
  description: text(descriptionMax),
  subscribedEvents,
  deviceClasses: z.array(z.string().max(idMax)).max(moduleClassesMax),
  bulkDataLabel: z.union([z.literal(''), id]),
  dataSourceModules: z.array(z.string().max(idMax)).max(dataSourcesMax),
  /** A secret that is omitted stays unchanged. */
  configData: jsonObject,
};
const inProject = ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER'] as const;
const reasons = [...inProject, 'SMART_MODULE_NOT_FOUND'] as const;
const changing = [...reasons, 'ROLE_TOO_LOW', 'STALE'] as const;
const fit = ['INVALID_MODULE_CONFIG', 'TOO_LARGE', 'DEVICE_CLASS_NOT_FOUND', 'DATA_SOURCE_UNFIT'] as const;

/** The configuration of the rule in the examples. */
export const frostRule = {
  condition: 'state.temperature < 5',
  actions: [{ kind: 'alert', severity: 'warning', text: 'It is {{ state.temperature }} °C' }],
};

export const listSmartModuleTypes = endpoint(
  'listSmartModuleTypes',
  'GET /projects/:projectId/smartModuleTypes',
  {
    summary: 'Lists the types of smart modules.',
    access: { role: 'viewer', of: 'project' },
    answer: z.array(SmartModuleType),
    reasons: inProject,
    capability: 'canAdmin',
  },
);

export const readModuleTypeDoc = endpoint(
  'readModuleTypeDoc',
  'GET /projects/:projectId/smartModuleTypes/:moduleType/configDoc',
  {
    summary: 'Describes the configuration of a type as a JSON Schema with hints for a form.',
    access: { role: 'viewer', of: 'project' },
    answer: ConfigDoc,
    reasons: [...inProject, 'MODULE_TYPE_NOT_FOUND'],
    capability: 'canAdmin',
  },
);

export const listSmartModules = endpoint('listSmartModules', 'GET /projects/:projectId/smartModules', {
  summary: 'Lists the smart modules of a project, with what each did in the last 24 hours.',
  access: { role: 'viewer', of: 'project' },
  query: z.strictObject({ ...pagingQuery, moduleType: z.enum(moduleTypeIds).optional() }),
  list: { sortBy: ['id', 'createdAt', 'moduleType'], default: 'id:asc' },
  answer: z.array(SmartModuleRow),
  reasons: inProject,
  capability: 'canAdmin',
});

export const createSmartModule = endpoint('createSmartModule', 'POST /projects/:projectId/smartModules', {
  summary: 'Creates a smart module. It starts receiving events at once.',
  access: { role: 'developer', of: 'project' },
  body: z
    .strictObject({ id, moduleType: z.enum(moduleTypeIds), suspended: z.boolean(), ...moduleFields })
    .partial()
    .required({ id: true, moduleType: true, configData: true })
    .meta({
      examples: [
        {
          id: 'frost-guard',
          moduleType: 'rule',
          subscribedEvents: ['_state_'],
          deviceClasses: ['thermostat'],
          configData: frostRule,
        },
      ],
    }),
  answer: SmartModule,
  reasons: [...inProject, 'ROLE_TOO_LOW', 'ID_TAKEN', 'LABEL_TAKEN', 'TOO_MANY_MODULES', ...fit],
  audit: 'Smart module {id} created',
  capability: 'canAdmin',
});

export const checkModuleConfig = endpoint(
  'checkModuleConfig',
  'POST /projects/:projectId/smartModules/check',
  {
    summary: 'Checks a configuration without saving it.',
    access: { role: 'viewer', of: 'project' },
    body: z
      .strictObject({
        moduleType: z.enum(moduleTypeIds),
        /** The saved module whose secrets are used. */
        moduleId: z.string().max(idMax).optional(),
        deviceClasses: moduleFields.deviceClasses.optional(),
        dataSourceModules: moduleFields.dataSourceModules.optional(),
        subscribedEvents: subscribedEvents.optional(),
        configData: jsonObject,
      })
      .meta({ examples: [{ moduleType: 'rule', configData: frostRule }] }),
    answer: ConfigFaults.extend({
      /** Remarks on a valid configuration: `17 of 300 nodes`. */
      notes: z.array(z.string()),
    }),
    reasons: inProject,
    audit: null,
    capability: 'canAdmin',
  },
);

export const readSmartModule = endpoint(
  'readSmartModule',
  'GET /projects/:projectId/smartModules/:moduleId',
  {
    summary: 'Retrieves a smart module.',
    access: { role: 'viewer', of: 'smartModule' },
    answer: SmartModule,
    reasons,
    capability: 'canAdmin',
  },
);

export const editSmartModule = endpoint(
  'editSmartModule',
  'PATCH /projects/:projectId/smartModules/:moduleId',
  {
    summary:
      'Updates a smart module. Waiting runs use the new configuration, where omitted secrets stay as they are and null removes an optional one. Suspending a module discards its waiting runs; resuming it also ends parking.',
    access: { role: 'developer', of: 'smartModule' },
    body: z.strictObject({ ...moduleFields, suspended: z.boolean() }).partial(),
    answer: SmartModule,
    reasons: [...changing, 'LABEL_TAKEN', 'LABEL_IN_USE', ...fit],
    audit: 'Smart module {id} changed',
    capability: 'canAdmin',
  },
);

export const deleteSmartModule = endpoint(
  'deleteSmartModule',
  'DELETE /projects/:projectId/smartModules/:moduleId',
  {
    summary:
      'Deletes a smart module with its runs and data. A module whose data others use cannot be deleted.',
    access: { role: 'developer', of: 'smartModule' },
    reasons: [...changing, 'DEPENDENCY_RESTRICTION'],
    audit: 'Smart module {id} deleted',
    capability: 'canAdmin',
  },
);

export const readModuleEditDoc = endpoint(
  'readModuleEditDoc',
  'GET /projects/:projectId/smartModules/:moduleId/configEditDoc',
  {
    summary: 'Describes the configuration of a module with its values, for editing. Secrets are left out.',
    access: { role: 'developer', of: 'smartModule' },
    answer: ModuleConfigDoc,
    reasons: [...reasons, 'ROLE_TOO_LOW'],
    capability: 'canAdmin',
  },
);

export const readModuleViewDoc = endpoint(
  'readModuleViewDoc',
  'GET /projects/:projectId/smartModules/:moduleId/configViewDoc',
  {
    summary: 'Describes the configuration of a module with its values, for reading. Secrets are masked.',
    access: { role: 'viewer', of: 'smartModule' },
    answer: ModuleConfigDoc,
    reasons,
    capability: 'canAdmin',
  },
);
