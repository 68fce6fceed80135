import type { BodyOf } from '#contract/endpoint.ts';
import type { createUserAuthMethod, editUserAuthMethod, UserAuthMethod } from '#contract/userAuthMethod.ts';

/** Named as the server names them when it refuses one, so that its reason stands beside the field. */
export interface MethodValues {
  label: string;
  description: string;
  iconUrl: string;
  'config.issuer': string;
  'config.clientId': string;
  'config.clientSecret': string;
}

export const noMethod: MethodValues = {
  label: '',
  description: '',
  iconUrl: '',
  'config.issuer': '',
  'config.clientId': '',
  'config.clientSecret': '',
};

/** The secret is written, never read: the form of a method that exists begins without it. */
export function toForm({ label, description, iconUrl, config }: UserAuthMethod): MethodValues {
  const { issuer, clientId } = config;
  return { ...noMethod, label, description, iconUrl, 'config.issuer': issuer, 'config.clientId': clientId };
}

/** What a new method is made of. */
export function toNewBody(values: MethodValues): BodyOf<typeof createUserAuthMethod> {
  const iconUrl = values.iconUrl.trim();
  return {
    label: values.label.trim(),
    protocol: 'oidc',
    config: {
      issuer: values['config.issuer'].trim(),
      clientId: values['config.clientId'].trim(),
      clientSecret: values['config.clientSecret'],
    },
    ...(iconUrl && { iconUrl }),
  };
}

/** Of the given fields those that the server shall have; a pasted address keeps no blanks. */
export function toBody(values: Partial<MethodValues>): BodyOf<typeof editUserAuthMethod> {
  const {
    label,
    description,
    iconUrl,
    'config.issuer': issuer,
    'config.clientId': clientId,
    'config.clientSecret': clientSecret,
  } = values;
  const config = {
    ...(issuer !== undefined && { issuer: issuer.trim() }),
    ...(clientId !== undefined && { clientId: clientId.trim() }),
    ...(clientSecret && { clientSecret }),
  };
  return {
    ...(label !== undefined && { label: label.trim() }),
    ...(description !== undefined && { description }),
    ...(iconUrl !== undefined && { iconUrl: iconUrl.trim() }),
    ...(Object.keys(config).length > 0 && { config }),
  };
}

type Codes = Partial<Record<keyof MethodValues, string>>;

/** What must be there. Of a method that exists: the secret only together with another issuer. */
export function missing(values: MethodValues, existing?: UserAuthMethod): Codes {
  const moved = values['config.issuer'].trim() !== existing?.config.issuer;
  const needed: (keyof MethodValues)[] = ['label', 'config.issuer', 'config.clientId'];
  if (moved) needed.push('config.clientSecret');
  return Object.fromEntries(needed.filter(name => !values[name].trim()).map(name => [name, 'REQUIRED']));
}
