import { readableName } from '#console/ui/fields/readableName.ts';

/** What forms call a field of the API where the name itself does not say it. */
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

/** A field that was changed, as a person knows it: what lies within it keeps the name the developer gave it. */
export function changedField(path: string): string {
  const [name = '', ...within] = path.split('.');
  return [labels[name] ?? readableName(name), ...within].join(' › ');
}
