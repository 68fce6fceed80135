import { afterAll, beforeAll, expect, it } from 'vitest';
import { editDeveloper, readDeveloper } from '#contract/account.ts';
import { aWorld, type World } from '#test/world.ts';

let world: World;
beforeAll(async () => {
  world = await aWorld();
});
afterAll(() => world.end());

it('of two windows that edit the same profile the second is told and shown what is there now', async () => {
  const ada = await world.aDeveloper({ name: 'Ada' });
  const params = { developerId: ada.developer.id };
  const { revision } = await ada.client.call(readDeveloper, { params });
  const edit = (name: string) =>
    ada.client.call(editDeveloper, { params, body: { name }, ifMatch: revision });
  const attempts = await Promise.allSettled([edit('first'), edit('second')]);
  const kept = attempts.find(one => one.status === 'fulfilled')?.value.name;
  const lost = attempts.find(one => one.status === 'rejected');
  expect(lost?.reason).toMatchObject({ reason: 'STALE', context: { current: { name: kept } } });
});
