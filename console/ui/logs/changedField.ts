import { readableName } from '#console/ui/fields/readableName.ts';

/** The labels that forms use for API fields whose names are not clear enough. */
const labels: Readonly<Record<string, string>> = {
  bundlePinnedName: 'Pinned to',
  bundleInstalledName: 'Bundle installed',
  bulkDataLabel: 'Data label',
  configData: 'Configuration',
  dataSourceModules: 'Data sources',
  targetUrl: 'Target',
  iconUrl: 'Icon address',
  trustsEmail: 'Trust verified e-mail addresses',
  userSessionsTTL: 'Session lifetime',
  userAccountMode: 'User accounts',
  userPasswordPolicy: 'Password policy',
  userAuthMessage: 'Authentication message',
  restrictUserReg: 'Restrict user registration',
  allowPublicOTAU: 'Public firmware downloads',
  enableDeviceLogRetrieval: 'Device log retrieval',
  enablePermissionBasedAccessControl: 'Permission-based access control',
  onDemandProvisioning: 'On-demand provisioning',
  alertRetentionPeriod: 'Alert retention',
  deviceMessageRate: 'Device messages',
  userCallRate: 'Calls per user',
  projectCallRate: 'Calls by all apps, and by all keys',
  rawHistoryDays: 'Single reports',
  fiveMinuteHistoryDays: 'Five-minute figures',
  hourlyHistoryDays: 'Hourly figures',
};

/** The label of a changed field; a path inside it keeps the names that the developer chose. */
export function changedField(path: string): string {
  const [name = '', ...within] = path.split('.');
  return [labels[name] ?? readableName(name), ...within].join(' › ');
}
