/** How long data is kept, in days. Partitions are dropped and rows deleted by the chores of their slices. */
export const retentionDays = {
  auditLog: 365,
  systemLog: 30,
  httpLog: 30,
  /** Events, commands, desired changes, presence changes and the quarantine of a device. */
  deviceMessages: 30,
  deviceImports: 30,
  logRequests: 30,
  connectedHistory: 14,
  /** How many messages arrived in each hour. */
  messageHours: 9,
  bulkActions: 30,
  /** How long ended sessions are counted in the figures of apps. */
  endedUserSessions: 30,
  userExports: 7,
  /** A delta that is needed again after this time is created again. */
  firmwareDeltas: 90,
} as const;
/** The maximum retention of each resolution of the state history; a project can choose less. */
export const historyDays = { raw: 7, fiveMinute: 30, hourly: 730 } as const;
/** Retention of the runs of modules, and of their hourly counts. */
export const moduleRunDays = 7;
export const moduleHourDays = 31;
/** What belongs to a run is kept a day longer. */
export const ofModuleRunDays = moduleRunDays + 1;
/** Over how many days the use of a key is counted. Advice is given only for keys that are at least that old. */
export const keyUseDays = 30;
/** How long resolved alerts are kept, unless the project chooses otherwise. */
export const alertRetentionDefault = 7;
