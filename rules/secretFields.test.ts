import { expect, test } from 'vitest';
import { isSecretField } from './secretFields.ts';

test.each([
  'password',
  'oldPassword',
  'newPassword',
  'token',
  'auth2FToken',
  'auth2FSecret',
  'auth2FUrl',
  'signInUrl',
  'code',
  'recoveryCode',
  'recoveryCodes',
  'apiKey',
  'api_key',
  'clientSecret',
  'secret',
  'claimCode',
  'Authorization',
  'set-cookie',
])('%s is masked', name => expect(isSecretField(name)).toBe(true));

test.each(['name', 'email', 'id', 'statusCode', 'publicAlias', 'keyId', 'tokens used', 'description'])(
  '%s is shown',
  name => expect(isSecretField(name)).toBe(false),
);
