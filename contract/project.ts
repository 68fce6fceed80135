import { z } from 'zod';
import { publicAliasMax, publicAliasPattern } from '#rules/publicAlias.ts';
import { historyDays } from '#rules/time/retention.ts';
import { endpoint, roles } from './endpoint.ts';
import { pagingQuery } from './paging.ts';
import { descriptionMax, line, nameMax, revision, text, time } from './shapes.ts';

/** The password policy for end users. Expiry is optional and not recommended. */
export const PasswordPolicy = z.strictObject({
  minLength: z.number().int().min(8).max(128),
  mustHaveUppercase: z.boolean(),
  mustHaveLowercase: z.boolean(),
  mustHaveNumber: z.boolean(),
  mustHaveNonAlphanum: z.boolean(),
  /** Days after which users must set a new password. */
  maxAge: z.number().int().min(1).max(3650).optional(),
});
export type PasswordPolicy = z.output<typeof PasswordPolicy>;

export const passwordMaxAgeDefault = 90;
/** Default and maximum limits in calls per second, and the burst size in seconds. */
export const callRates = {
  user: { usual: 10, burstS: 5, max: 1000 },
  project: { usual: 500, burstS: 2, max: 10_000 },
};

const options = {
  userAccountMode: z.enum(['email', 'external']),
  onDemandProvisioning: z.boolean(),
  deactivateNewHomes: z.boolean(),
  restrictUserReg: z.boolean(),
  restrictHomeCreation: z.boolean(),
  allowPublicOTAU: z.boolean(),
  enableDeviceLogRetrieval: z.boolean(),
  /** In days. */
  alertRetentionPeriod: z.number().int().min(1).max(3650),
  /** Messages per second for each device; five seconds' worth can arrive in a burst. */
  deviceMessageRate: z.number().int().min(1).max(1000),
  /** Calls per second for each user of an app; five seconds' worth can arrive in a burst. */
  userCallRate: z.number().int().min(1).max(callRates.user.max),
  /** Calls per second for all apps together, and for all keys together; two seconds' worth can arrive in a burst. */
  projectCallRate: z.number().int().min(1).max(callRates.project.max),
  /** Retention of single reports of numbers, and then of their five-minute and hourly figures, in days. */
  rawHistoryDays: z.number().int().min(1).max(historyDays.raw),
  fiveMinuteHistoryDays: z.number().int().min(1).max(historyDays.fiveMinute),
  hourlyHistoryDays: z.number().int().min(1).max(historyDays.hourly),
  restrictPasswordLogin: z.boolean(),
  /** Irreversible once on. */
  forgetDeviceKeys: z.boolean(),
  /** Irreversible once on. */
  enablePermissionBasedAccessControl: z.boolean(),
};

const publicAlias = z.string().max(publicAliasMax).regex(publicAliasPattern);

export const Project = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  publicAlias: z.string().optional(),
  isSample: z.boolean(),
  userAuthMessage: z.string(),
  userPasswordPolicy: PasswordPolicy.optional(),
  ...options,
  /** The role of the caller in this project. */
  role: z.enum(roles),
  createdAt: time,
  revision,
});
export type Project = z.output<typeof Project>;

export const listProjects = endpoint('listProjects', 'GET /projects', {
  tokenScope: 'any',
  summary: 'Lists the projects you are a member of.',
  access: 'verified',
  query: z.strictObject({ developerId: z.string().max(64).optional(), ...pagingQuery }),
  list: { sortBy: ['name', 'createdAt'], default: 'name:asc' },
  answer: z.array(Project),
  reasons: ['NOT_ALLOWED'],
});

export const createProject = endpoint('createProject', 'POST /projects', {
  summary: 'Creates a project; you become its owner.',
  access: 'verified',
  body: z.strictObject({ name: line(nameMax), description: text(descriptionMax).optional() }),
  answer: Project,
  reasons: ['PROJECT_LIMIT_REACHED'],
  audit: 'Project {name} created',
});

export const readProject = endpoint('readProject', 'GET /projects/:projectId', {
  tokenScope: 'any',
  summary: 'Retrieves a project.',
  access: { role: 'viewer', of: 'project' },
  answer: Project,
  reasons: ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER'],
});

export const editProject = endpoint('editProject', 'PATCH /projects/:projectId', {
  summary:
    'Updates project settings. Turning on forgetDeviceKeys or enablePermissionBasedAccessControl requires an owner and cannot be undone.',
  access: { role: 'developer', of: 'project' },
  body: z
    .strictObject({
      name: line(nameMax),
      description: text(descriptionMax),
      /** Null removes the alias. */
      publicAlias: publicAlias.nullable(),
      userAuthMessage: text(4000),
      /** Null: only the platform's own rules apply. */
      userPasswordPolicy: PasswordPolicy.nullable(),
      ...options,
    })
    .partial(),
  answer: Project,
  reasons: [
    'PROJECT_NOT_FOUND',
    'NOT_A_MEMBER',
    'ROLE_TOO_LOW',
    'STALE',
    'PUBLIC_ALIAS_TAKEN',
    'IRREVERSIBLE',
  ],
  audit: 'Settings of project {name} changed',
});

export const deleteProject = endpoint('deleteProject', 'DELETE /projects/:projectId', {
  summary:
    'Deletes a project and everything in it. The project is unreachable as soon as the call returns; follow the returned deletion to see its progress.',
  access: { role: 'owner', of: 'project' },
  answer: z.object({ deletionId: z.string() }),
  reasons: ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER', 'ROLE_TOO_LOW', 'NOT_IN_SUDO', 'STALE'],
  audit: 'Project {name} deleted',
  notForSudo: true,
});

export const ProjectDeletion = z.object({
  id: z.string(),
  projectId: z.string(),
  projectName: z.string(),
  state: z.enum(['running', 'done']),
  rowsRemoved: z.number().int(),
});
export type ProjectDeletion = z.output<typeof ProjectDeletion>;

export const readProjectDeletion = endpoint('readProjectDeletion', 'GET /projectDeletions/:deletionId', {
  summary: 'Retrieves the progress of a deletion you started.',
  access: 'verified',
  answer: ProjectDeletion,
  reasons: ['DELETION_NOT_FOUND'],
});

export const watchProject = endpoint('watchProject', 'GET /projects/:projectId/live', {
  summary:
    'Streams changes in the project as server-sent events, or over a WebSocket as `{"event": …, "data": …}`. `opened` comes first, with the id of the newest audit log entry. `changed` carries the path of what changed and, in `makesOld`, the other nouns whose reads are now stale; `entry` a new audit log entry; `devices` the ids of devices that connected or disconnected. With `deviceId`, `device` carries everything about that device, and its live log is turned on.',
  access: { role: 'viewer', of: 'project' },
  query: z.strictObject({ deviceId: z.string().max(64).optional() }),
  raw: 'event stream',
  reasons: ['PROJECT_NOT_FOUND', 'NOT_A_MEMBER', 'DEVICE_NOT_FOUND', 'TOO_MANY_STREAMS'],
});
