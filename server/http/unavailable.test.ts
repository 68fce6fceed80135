import { expect, it } from 'vitest';
import { createProject, listProjects } from '#contract/project.ts';
import { failing } from '#test/failing.ts';
import { rawCall } from '#test/rawCall.ts';
import { aWireWorld } from '#test/wireWorld.ts';

const at = aWireWorld();

it('while the database is unavailable calls get 503 with a retry time, and the server recovers by itself', async () => {
  const owner = await at.world.aDeveloper();
  const ready = () => rawCall(fetch, ['GET', `${at.world.url}/readyz`]);
  expect((await ready()).status).toBe(200);
  at.wire.cut();
  try {
    const refused = await failing(owner.client.call(listProjects), 'UNAVAILABLE');
    expect([refused.status, refused.retryAfterS]).toEqual([503, 2]);
    await failing(owner.client.call(createProject, { body: { name: 'Lost' } }), 'UNAVAILABLE');
    const { status, problem, headers } = await ready();
    expect([status, problem.reason, headers.get('retry-after')]).toEqual([503, 'UNAVAILABLE', '2']);
    expect((await rawCall(fetch, ['GET', `${at.world.url}/healthz`])).status).toBe(200);
  } finally {
    at.wire.mend();
  }
  await expect.poll(async () => (await ready()).status).toBe(200);
  await owner.client.call(createProject, { body: { name: 'Kept' } });
  const { items } = await owner.client.call(listProjects);
  expect(items.map(({ name }) => name)).toEqual(['Kept']);
});
