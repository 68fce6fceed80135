import type { FieldTable, FieldValues } from '#console/ui/fields/fields.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import {
  type createUserAuthMethod,
  type editUserAuthMethod,
  methodMax,
  type UserAuthMethod,
} from '#contract/userAuthMethod.ts';

/** The names that the server uses when it refuses a field, so that its reason is shown at that field. */
type Name =
  | 'label'
  | 'description'
  | 'iconUrl'
  | 'config.issuer'
  | 'config.clientId'
  | 'config.clientSecret'
  | 'trustsEmail';
export type MethodValues = FieldValues<Name>;

export const yesOrNo = ['No', 'Yes'];

const optionalIcon = { label: 'Icon address (optional)' };

export const methodFields: FieldTable<Name> = {
  label: {
    label: 'Label',
    required: true,
    max: methodMax.label,
    hint: 'Shown to users: the provider’s name as they know it.',
  },
  description: {
    label: 'Description',
    control: 'text',
    rows: 2,
    max: methodMax.description,
    create: false,
  },
  'config.issuer': {
    label: 'Issuer',
    mono: true,
    type: 'url',
    required: true,
    max: methodMax.url,
    placeholder: 'https://login.example.com',
  },
  'config.clientId': { label: 'Client id', mono: true, required: true, max: methodMax.clientId },
  'config.clientSecret': {
    label: 'Client secret',
    control: 'secret',
    max: methodMax.clientSecret,
    say: secret => (secret ? '•••' : '(unchanged)'),
    create: { required: true, hint: 'Stored encrypted and never shown again.' },
    edit: { hint: 'Leave empty to keep the stored secret. A different issuer needs its own.' },
  },
  trustsEmail: {
    label: 'Trust verified e-mail addresses',
    control: 'choice',
    hint: 'If Yes, a user whose address the provider reports as verified gets the account with that address here. Choose it only if the provider really verifies addresses.',
    create: false,
  },
  iconUrl: {
    label: 'Icon address',
    type: 'url',
    max: methodMax.url,
    hint: 'Fetched once, when you save: PNG, JPEG, GIF, WebP or ICO, at most 100 kB.',
    create: optionalIcon,
    edit: optionalIcon,
  },
};

/** The secret is write-only: the form of an existing method starts without it. */
export function toForm({ label, description, iconUrl, config, ...method }: UserAuthMethod): MethodValues {
  const { issuer, clientId } = config;
  const trustsEmail = method.trustsEmail ? 'Yes' : 'No';
  const secret = { 'config.clientSecret': '' };
  const client = { 'config.issuer': issuer, 'config.clientId': clientId, ...secret };
  return { label, description, iconUrl, ...client, trustsEmail };
}

/** The request body of a new method. */
export function toNewBody(values: MethodValues, id: string | undefined): BodyOf<typeof createUserAuthMethod> {
  const { label, iconUrl, config } = toBody(values) as BodyOf<typeof createUserAuthMethod>;
  return { ...(id && { id }), label, protocol: 'oidc', config, ...(iconUrl && { iconUrl }) };
}

/** The request body of the given fields. Pasted addresses are trimmed, a secret is not. */
export function toBody(values: Partial<MethodValues>): BodyOf<typeof editUserAuthMethod> {
  const { label, description, iconUrl, trustsEmail, 'config.clientSecret': clientSecret } = values;
  const issuer = values['config.issuer']?.trim();
  const clientId = values['config.clientId']?.trim();
  const config = {
    ...(issuer !== undefined && { issuer }),
    ...(clientId !== undefined && { clientId }),
    ...(clientSecret && { clientSecret }),
  };
  return {
    ...(label !== undefined && { label: label.trim() }),
    ...(description !== undefined && { description }),
    ...(iconUrl !== undefined && { iconUrl: iconUrl.trim() }),
    ...(Object.keys(config).length > 0 && { config }),
    ...(trustsEmail && { trustsEmail: trustsEmail === 'Yes' }),
  };
}

/** Another issuer needs another secret. */
export function missingSecret(values: MethodValues, { config }: UserAuthMethod): Partial<MethodValues> {
  const moved = values['config.issuer'].trim() !== config.issuer;
  return moved && !values['config.clientSecret'].trim() ? { 'config.clientSecret': 'REQUIRED' } : {};
}
