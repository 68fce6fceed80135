import { expect, test } from 'vitest';
import { notLoadedCode } from './notLoaded.ts';

test.each([
  ['The project', 'PROJECT_NOT_LOADED'],
  ['The log requests', 'LOG_REQUESTS_NOT_LOADED'],
  ['Your sessions', 'SESSIONS_NOT_LOADED'],
  ['The e-mail templates', 'E_MAIL_TEMPLATES_NOT_LOADED'],
])('a failure to load %s has the code %s', (what, code) => {
  expect(notLoadedCode(what)).toBe(code);
});
