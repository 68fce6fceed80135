/** The part of an id after its prefix. */
export const exampleTail = '01kag4m8y2e6tvp0rm7n4s9cqd';

/** An id in the format of the server, for a field of this name. */
export function exampleId(name: string): string {
  const prefix = prefixes[name];
  return prefix ? `${prefix}_${exampleTail}` : exampleTail;
}

/** True if fields of this name are ids with a prefix. */
export const hasPrefix = (name: string): boolean => name in prefixes;

/** Prefixes by the name of the field; `deviceId` is also the `id` of a device. */
const prefixes: Record<string, string> = {
  userExportId: 'exp',
  keyId: 'key',
  sentEventId: 'evt',
  homeMemberId: 'usr',
  userSessionId: 'uss',
  meId: 'usr',
  projectId: 'prj',
  developerId: 'dvl',
  actorId: 'dvl',
  sessionId: 'ses',
  tokenId: 'pat',
  accessTokenId: 'pat',
  deletionId: 'del',
  projectDeletionId: 'del',
  logEntryId: 'log',
  methodId: 'uam',
  userAuthMethodId: 'uam',
  testId: 'tst',
  userAuthTestId: 'tst',
  deviceId: 'dev',
  deviceRowId: 'dev',
  commandId: 'cmd',
  alertId: 'alr',
  alertActionId: 'act',
  deviceEventId: 'evt',
  eventId: 'evt',
  replayId: 'rpl',
  exportId: 'exp',
  runId: 'run',
  quarantinedMessageId: 'qrt',
  requestId: 'lrq',
  logRequestId: 'lrq',
  actionId: 'act',
  deviceActionId: 'act',
  importId: 'imp',
  viewId: 'dvw',
  deviceViewId: 'dvw',
  deviceImportId: 'imp',
  componentId: 'cmp',
  versionId: 'ver',
  versionsId: 'ver',
  componentVersionId: 'ver',
  componentVersionIds: 'ver',
  componentVersionRowId: 'ver',
  uploadId: 'upl',
  bundleId: 'bnd',
  bundlesId: 'bnd',
  channelId: 'chn',
  rolloutId: 'rol',
  userId: 'usr',
  ownerId: 'usr',
  invitationId: 'hin',
  homeInvitationId: 'hin',
  routeId: 'prx',
  proxyRouteId: 'prx',
  proxyRouteRowId: 'prx',
  draftOf: 'prx',
  ...{ alertById: 'dvl', invitedById: 'usr', sentById: 'dvl', setById: 'dvl' },
  ...{ alertDetailId: 'alr', myAlertId: 'alr', rolloutRowId: 'rol', ownAccessTokenId: 'pat' },
  ...{ devicePulseId: 'dev', deviceNameId: 'dev', homeDeviceId: 'dev', myDeviceId: 'dev' },
  ...{ moduleEventId: 'evt', moduleRunId: 'run', moduleRunDetailId: 'run', ruleReplayId: 'rpl' },
  ...{ myInvitationId: 'hin', userRowId: 'usr', explanationId: 'dev' },
};
