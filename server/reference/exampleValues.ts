// What fields hold in examples, by their name; `projectName` is the `name` of a project, before that of anything.
// An entry is worth its line where the name of the field alone would make no sense.

const tail = '01kag4m8y2e6tvp0rm7n4s9cqd';
const hash = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

const prefixes: Record<string, string> = {
  projectId: 'prj',
  developerId: 'dvl',
  actorId: 'dvl',
  sessionId: 'ses',
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
  deviceEventId: 'evt',
  quarantinedMessageId: 'qrt',
  requestId: 'lrq',
  logRequestId: 'lrq',
  actionId: 'act',
  deviceActionId: 'act',
  importId: 'imp',
  deviceImportId: 'imp',
};

/** An id as the server makes them. */
export function exampleId(name: string): string {
  const prefix = prefixes[name];
  return prefix ? `${prefix}_${tail}` : tail;
}

export const exampleTrue = new Set(['verified', 'openToSignUps', 'current', 'started', 'intact']);

export const exampleNumbers: Record<string, number> = {
  ttl: 43_200,
  revision: 3,
  maxProjects: 10,
  level: 2,
  alertRetentionPeriod: 7,
  deviceMessageRate: 20,
};

/** Tried in turn where a field asks for a form that its name does not tell. */
export const usualForms = ['2026-11', '1', 'https://nordlys.example', hash];

export const exampleTexts: Record<string, string> = {
  email: 'ada@example.com',
  pendingEmail: 'ada@example.org',
  name: 'Ada Lovelace',
  displayName: 'Ada Lovelace',
  description: 'Thermostats in every hall',
  orgId: 'default',
  org: 'default',
  password: 'correct horse battery staple',
  oldPassword: 'correct horse battery staple',
  newPassword: 'a new horse for the staple',
  token: 'u8n5l2Qq0wJXkq2mTn4sZc',
  auth2FToken: 'u8n5l2Qq0wJXkq2mTn4sZc',
  auth2FSecret: 'JBSWY3DPEHPK3PXP',
  auth2FUrl: 'otpauth://totp/Mooring:ada@example.com?secret=JBSWY3DPEHPK3PXP&issuer=Mooring',
  code: '492817',
  recoveryCode: 'k7m2-9xqd-4hvt',
  sudoer: 'support@example.com',
  device: 'Firefox on Linux',
  address: '203.0.113.7',
  devConsoleBaseUrl: 'http://127.0.0.1:8080',
  createdAt: '2026-11-20T09:46:00.000Z',
  expiresAt: '2026-12-20T09:46:00.000Z',
  begin: '2026-11-20T00:00:00.000Z',
  end: '2026-11-21T00:00:00.000Z',
  month: '2026-11',
  organizationId: 'default',
  organizationName: 'Nordlys',
  projectName: 'Nordlys Home',
  userAuthMessage: 'Sign in with your Nordlys account.',
  deviceClass: 'thermostat',
  classId: 'thermostat',
  deviceClassId: 'thermostat',
  deviceClassDescription: 'Thermostats of the first series',
  key: 'report-every-s',
  pairKey: 'report-every-s',
  tag: 'hall-7',
  deviceName: 'Hall, by the window',
  deviceRowName: 'Hall, by the window',
  claimCode: '7KQM2XWRT4',
  apiKey: 'q7Xo2LrT9bNc4VzK1sWd8GhJ5mPf3YaE',
  apiKeyEnd: '3YaE',
  commandName: 'blink',
  deviceEventName: 'door',
  deviceEntityName: 'lamp-1',
  deviceEntityClass: 'lamp',
  openConnectionClientId: 'thermostat-7',
  uploadUrl: 'http://localhost:8080/files/u8n5l2Qq0wJXkq2mTn4sZc',
  schemaFaultAt: '/temperature',
  schemaFaultText: 'must be number',
  importFaultText: 'This tag is longer than 100 characters.',
  callerType: 'developer',
  role: 'owner',
  actor: `dvl_${tail}`,
  action: 'editProject',
  logEntryText: 'Project Nordlys Home edited',
  label: 'Nordlys account',
  userAuthMethodDescription: 'For everyone with a Nordlys account',
  iconUrl: 'https://login.nordlys.example/icon.png',
  issuer: 'https://login.nordlys.example',
  clientId: 'mooring',
  clientSecret: 'a secret of the provider',
  redirectUri: 'http://localhost:8080/api/userAuth/callback',
  signInUrl: 'https://login.nordlys.example/authorize?client_id=mooring&response_type=code',
  issuerFindingText: 'The issuer answers.',
  templateId: 'user-verification',
  subject: 'Verify your e-mail address',
  body: '<p>Hello {{ user.name }}</p>',
  html: '<p>Hello Ada Lovelace</p>',
  text: 'Hello Ada Lovelace',
  sample: 'Ada Lovelace',
  emailTemplateName: 'User verification',
  emailTemplateDescription: 'Sent when a user signs up',
  variableName: 'user.name',
  variableDescription: 'The name of the user',
  templateFaultCode: 'UNKNOWN_VARIABLE',
  message: 'This variable does not exist.',
};
