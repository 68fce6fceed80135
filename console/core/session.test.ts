import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LoggedIn } from '#contract/account.ts';

// The console reads its address once, when it loads.
vi.stubGlobal('window', { location: { origin: 'https://console.example', pathname: '/orgs/a/projects' } });
const { endSession, isValid, ofOwn, saveTarget, session, startSession, takeTarget } = await import(
  './session.ts'
);

const answer = (expiresAt: string): LoggedIn => ({
  developer: {
    id: 'dvl_1',
    name: 'Mari',
    email: 'mari@nordlys.example',
    orgId: 'default',
    verified: true,
    auth2FActivated: false,
    onboardStates: {},
    maxProjects: 10,
    revision: 1,
  },
  session: { ttl: 60, expiresAt },
});

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-03-14T12:00:00Z') });
  vi.stubGlobal('window', { location: { origin: 'https://console.example' } });
});
afterEach(() => {
  endSession();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('a session lasts its time to live after the last use', () => {
  startSession(answer('2026-03-15T12:00:00.000Z'));
  expect(isValid(session.get(), Date.now() + 59_999)).toBe(true);
  expect(isValid(session.get(), Date.now() + 60_000)).toBe(false);
});

test('a session ends at its expiry however much it is used', () => {
  startSession(answer('2026-03-14T12:00:10.000Z'));
  expect(isValid(session.get(), Date.now() + 9_999)).toBe(true);
  expect(isValid(session.get(), Date.now() + 10_000)).toBe(false);
});

test('without client storage a session is kept in memory', () => {
  startSession(answer('2026-03-15T12:00:00.000Z'));
  expect(session.get()?.developer.id).toBe('dvl_1');
  endSession();
  expect(session.get()).toBeUndefined();
});

test('projects are listed for the developer who is signed in', () => {
  expect(ofOwn()).toEqual({});
  startSession(answer('2026-03-15T12:00:00.000Z'));
  expect(ofOwn()).toEqual({ developerId: 'dvl_1' });
});

test('a saved target is given back once', () => {
  saveTarget('/orgs/a/projects?q=x#new');
  expect([takeTarget(), takeTarget()]).toEqual(['/orgs/a/projects?q=x#new', undefined]);
});

test.each(['/projects', '/orgs/b/projects', '/orgs/ab', '/orgs/a/../b/projects'])(
  'a sign-in to organization a never leads to %s, outside its console',
  href => {
    saveTarget(href);
    expect(takeTarget()).toBeUndefined();
  },
);

test.each(['https://evil.example/', '//evil.example/', '/\\evil.example', 'javascript:alert(1)', 'projects'])(
  'a sign-in never leads to %s',
  href => {
    saveTarget(href);
    expect(takeTarget()).toBeUndefined();
  },
);
