import { type JsonSchema, nameOf, resolve } from './jsonSchema.ts';

type Named = Record<string, JsonSchema>;

/** A value of the shape as it might really be, told by the names of its fields. */
export function exampleOf(schema: JsonSchema, named: Named, name = ''): unknown {
  const noun = nameOf(schema);
  const shape = resolve(schema, named);
  if (shape.const !== undefined) return shape.const;
  if (shape.enum) return shape.enum[name === 'role' ? shape.enum.length - 1 : 0];
  const [first] = shape.anyOf ?? shape.oneOf ?? [];
  if (first) return exampleOf(first, named, name);
  if (shape.type === 'object') return exampleObject(shape, named, noun ?? name);
  if (shape.type === 'array') return [exampleOf(itemOf(shape), named, singular(name))];
  if (shape.type === 'boolean') return trueFields.has(name);
  if (shape.type === 'integer' || shape.type === 'number') return numbers[name] ?? shape.minimum ?? 1;
  return exampleText(shape, name);
}

function exampleObject(shape: JsonSchema, named: Named, noun: string): unknown {
  const fields = Object.entries(shape.properties ?? {}) as [string, JsonSchema][];
  if (fields.length === 0) return exampleRecord(shape, named);
  const required = shape.required ?? [];
  // A second step without its code would be of no use.
  const isShown = ([name]: [string, JsonSchema]) => required.includes(name) || name === 'code';
  // Where nothing must be there, as in a change, the first field shows how it is done.
  const shown = required.length > 0 ? fields.filter(isShown) : fields.slice(0, 1);
  return Object.fromEntries(
    shown.map(([name, field]) => [name, exampleOf(field, named, fieldOf(lower(noun), name))]),
  );
}

/** `id` and `name` say what they are only together with their noun. */
function fieldOf(noun: string, name: string): string {
  if (name === 'id') return `${noun}Id`;
  return name === 'name' && texts[`${noun}Name`] ? `${noun}Name` : name;
}

function exampleRecord({ propertyNames, additionalProperties, required }: JsonSchema, named: Named): unknown {
  const keys =
    required ?? (typeof propertyNames === 'object' ? propertyNames.enum?.slice(0, 1) : undefined) ?? [];
  if (typeof additionalProperties !== 'object') return {};
  return Object.fromEntries(keys.map(key => [key, exampleOf(additionalProperties, named, String(key))]));
}

const itemOf = ({ items }: JsonSchema): JsonSchema =>
  typeof items === 'object' && !Array.isArray(items) ? items : {};
const singular = (name: string) => name.replace(/s$/, '');
const lower = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);

const trueFields = new Set(['verified', 'openToSignUps', 'current', 'started']);
const numbers: Record<string, number> = { ttl: 43_200, revision: 3, maxProjects: 10, limit: 25, skip: 0 };

const idText = '01kag4m8y2e6tvp0rm7n4s9cqd';
const prefixes: Record<string, string> = {
  projectId: 'prj',
  developerId: 'dvl',
  sessionId: 'ses',
  deletionId: 'del',
  projectDeletionId: 'del',
  logEntryId: 'log',
  methodId: 'uam',
  userAuthMethodId: 'uam',
  testId: 'tst',
  userAuthTestId: 'tst',
};

const usualForms = ['2026-11', '1', 'https://nordlys.example'];

const texts: Record<string, string> = {
  email: 'ada@example.com',
  pendingEmail: 'ada@example.org',
  name: 'Ada Lovelace',
  projectName: 'Nordlys Home',
  organizationName: 'Nordlys',
  description: 'Thermostats in every hall',
  orgId: 'default',
  org: 'default',
  organizationId: 'default',
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
  sortBy: 'name:asc',
  search: 'hall',
  label: 'Nordlys account',
  iconUrl: 'https://login.nordlys.example/icon.png',
  issuer: 'https://login.nordlys.example',
  clientId: 'mooring',
  clientSecret: 'a secret of the provider',
  redirectUri: 'http://localhost:8080/api/userAuth/callback',
  signInUrl: 'https://login.nordlys.example/authorize?client_id=mooring&response_type=code',
  month: '2026-11',
  begin: '2026-11-20T00:00:00.000Z',
  end: '2026-11-21T00:00:00.000Z',
  actor: `dvl_${idText}`,
  action: 'editProject',
  deviceClass: 'thermostat',
  templateId: 'user-verification',
  subject: 'Verify your e-mail address',
  userAuthMessage: 'Sign in with your Nordlys account.',
};

function exampleText({ format, pattern }: JsonSchema, name: string): string {
  if (format === 'date') return '2026-11-20';
  if (format === 'date-time')
    return name === 'expiresAt' ? '2026-12-20T09:46:00.000Z' : '2026-11-20T09:46:00.000Z';
  const prefix = prefixes[name];
  const text = texts[name] ?? (prefix ? `${prefix}_${idText}` : name);
  if (pattern === undefined) return text;
  // A field may be as its name says, or in one of the usual forms.
  return [text, ...usualForms].find(form => new RegExp(pattern, 'u').test(form)) ?? text;
}
