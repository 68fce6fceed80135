import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProblemAnswer } from '#contract/problem.ts';
import { aDevice } from '#test/devices.ts';
import { rawCall } from '#test/rawCall.ts';
import { aWorld, type SignedIn, type World } from '#test/world.ts';

let world: World;
let owner: SignedIn;
let projectId: string;
let deviceId: string;
beforeAll(async () => {
  world = await aWorld();
  owner = await world.aDeveloper();
  projectId = (await world.aProject(owner)).id;
  deviceId = (await aDevice(owner, projectId)).id;
});
afterAll(() => world.end());

const get = (path: string) => rawCall(owner.fetch, ['GET', `${world.url}/api/${path}`]);
const whole = { begin: '2026-11-01T00:00:00Z', end: '2026-11-02T00:00:00Z' };
const ranges = () => [
  `projects/${projectId}/logEntries`,
  `projects/${projectId}/httpLogEntries`,
  `devices/${deviceId}/logEntries`,
  `devices/${deviceId}/presence`,
  `devices/${deviceId}/events`,
];

describe('a time range', () => {
  it.each([
    'infinity',
    'yesterday',
    '',
    '2026-02-30T00:00:00Z',
    '2026-12-31T23:59:60Z',
    '2026-11-01T00:00:00',
    '+275760-09-13T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '1969-12-31T23:59:59Z',
    '9999-12-31T23:59:59-23:59',
  ])('is rejected with %j', async time => {
    for (const path of ranges()) {
      for (const name of ['begin', 'end']) {
        const { status, problem } = await get(`${path}?${new URLSearchParams({ ...whole, [name]: time })}`);
        expect([path, status, problem.reason]).toEqual([path, 416, 'INVALID_RANGE']);
        expect(problem).toMatchObject({ fields: { [name]: 'INVALID' } });
        expect(problem.message).toMatch(/^Send both times in RFC 3339/);
      }
    }
  });

  it.each(['2024-13', '2024-00', '1969-12', '24-01', '2024-1', 'infinity'])(
    'is rejected with the month %j',
    async month => {
      const query = new URLSearchParams({ begin: '2024-01', end: month });
      const { problem } = await get(`projects/${projectId}/trafficStats?${query}`);
      expect(problem).toMatchObject({ reason: 'INVALID_RANGE', fields: { end: 'INVALID' } });
      expect(problem.message).toMatch(/^Send both months/);
    },
  );

  it('is rejected with an explanation if both times are valid but the range is not', async () => {
    for (const path of ranges()) {
      const { problem } = await get(`${path}?${new URLSearchParams({ begin: whole.end, end: whole.begin })}`);
      expect(problem.reason).toBe('INVALID_RANGE');
      expect(problem.message).toMatch(/^The start must be before the end, and at most \d+ days/);
    }
  });

  it('needs both ends, and accepts only known fields', async () => {
    const { problem } = await get(`devices/${deviceId}/presence?begin=2026-11-01T00:00:00Z`);
    expect(problem).toMatchObject({ reason: 'INVALID_FIELDS', fields: { end: 'REQUIRED' } });
    const more = await get(
      `devices/${deviceId}/presence?${new URLSearchParams({ ...whole, end: 'x', more: '' })}`,
    );
    expect(more.problem).toMatchObject({
      reason: 'INVALID_FIELDS',
      fields: { end: 'INVALID', more: 'UNKNOWN_FIELD' },
    });
  });
});

it('a request past the end of a list gets the total of the list', async () => {
  const answer = await get(`projects?skip=900`);
  expect([answer.status, answer.headers.get('content-range')]).toEqual([416, 'items */1']);
  expect(answer.problem).toMatchObject({ context: { total: 1 } });
});

it('a field named __proto__ is rejected by its name', async () => {
  const body = `{"name":"Boats","__proto__":{"sudoer":true}}`;
  const answer = await rawCall(owner.fetch, ['POST', `${world.url}/api/projects`], body);
  const { reason, fields } = JSON.parse(answer.text) as ProblemAnswer;
  expect(reason).toBe('UNKNOWN_FIELD');
  expect(Object.entries(fields ?? {})).toEqual([['__proto__', 'UNKNOWN_FIELD']]);
});
