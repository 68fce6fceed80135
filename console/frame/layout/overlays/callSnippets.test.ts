import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Recorded } from '#contract/client.ts';
import { asCurl, asTypeScript, hasSecrets, masked } from './callSnippets.ts';

const login: Recorded = {
  name: 'logIn',
  method: 'POST',
  url: '/api/auth/password',
  startedAt: 0,
  ms: 12,
  status: 200,
  headers: { 'x-console-guard': '1', 'content-type': 'application/json' },
  requestBody: { email: "o'hara@example.com", password: 'tidal-lantern' },
  answer: { developer: { name: 'O' }, deep: [{ auth2FToken: 'abc' }] },
  requestId: 'req_1',
};

beforeEach(() => vi.stubGlobal('window', { location: { origin: 'https://console.example' } }));
afterEach(() => vi.unstubAllGlobals());

test('secrets are masked at any depth, and nothing else is', () => {
  expect(masked(login.requestBody)).toEqual({ email: "o'hara@example.com", password: '••••••' });
  expect(masked(login.answer)).toEqual({ developer: { name: 'O' }, deep: [{ auth2FToken: '••••••' }] });
  expect(hasSecrets(login)).toBe(true);
  expect(hasSecrets({ ...login, requestBody: undefined, answer: [] })).toBe(false);
});

test('a quote in a value cannot end the shell argument', () => {
  expect(asCurl(login)).toContain(`--data-raw '{"email":"o'\\''hara@example.com"`);
  expect(asCurl(login)).toContain("curl -X POST 'https://console.example/api/auth/password'");
});

test('the program sends the guard header and the body', () => {
  const program = asTypeScript(login);
  expect(program).toContain('\'x-console-guard\': "1"');
  expect(program).toContain('body: JSON.stringify({');
});
