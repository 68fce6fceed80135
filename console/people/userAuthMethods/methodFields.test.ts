import { expect, test } from 'vitest';
import { emptyValues, faultsIn, fieldsOf } from '#console/ui/fields/fields.ts';
import type { UserAuthMethod } from '#contract/userAuthMethod.ts';
import { methodFields, missingSecret, toBody, toForm, toNewBody } from './methodFields.ts';

const method: UserAuthMethod = {
  id: 'uam_1',
  label: 'Nordlys account',
  description: '',
  iconUrl: '',
  protocol: 'oidc',
  config: { issuer: 'https://login.nordlys.example', clientId: 'mooring' },
  trustsEmail: false,
  redirectUri: 'http://localhost:8080/api/userAuth/callback',
  createdAt: '2026-11-20T09:46:00.000Z',
  revision: 1,
};

test('an edit of one field sends only that field', () => {
  expect(toBody({ label: ' Other ' })).toEqual({ label: 'Other' });
  expect(toBody({ 'config.clientId': 'c' })).toEqual({ config: { clientId: 'c' } });
  expect(toBody({ iconUrl: '' })).toEqual({ iconUrl: '' });
  expect(toBody({ trustsEmail: 'Yes' })).toEqual({ trustsEmail: true });
});

test('an empty secret is not a change, and a secret is never trimmed', () => {
  expect(toBody({ 'config.clientSecret': '' })).toEqual({});
  expect(toBody({ 'config.clientSecret': ' s ' })).toEqual({ config: { clientSecret: ' s ' } });
});

test('an existing method needs its secret again only for another issuer', () => {
  const form = toForm(method);
  expect(faultsIn(fieldsOf(methodFields, 'edit'), form)).toEqual({});
  expect(missingSecret(form, method)).toEqual({});
  expect(missingSecret({ ...form, 'config.issuer': 'https://other.example' }, method)).toEqual({
    'config.clientSecret': 'REQUIRED',
  });
});

test('a new method needs all but description and icon', () => {
  const faults = faultsIn(fieldsOf(methodFields, 'create'), emptyValues(methodFields));
  expect(Object.keys(faults)).toEqual(['label', 'config.issuer', 'config.clientId', 'config.clientSecret']);
  const form = {
    ...toForm(method),
    'config.issuer': ' https://login.nordlys.example ',
    'config.clientSecret': 's',
  };
  expect(toNewBody(form, 'uam_1')).toEqual({
    id: 'uam_1',
    label: method.label,
    protocol: 'oidc',
    config: { ...method.config, clientSecret: 's' },
  });
});
