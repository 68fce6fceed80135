import { expect, it } from 'vitest';
import { readTarget } from './readTarget.ts';

const read = (answer: unknown) =>
  readTarget({
    url: 'https://mooring.example.com',
    deviceId: 'dev_1',
    apiKey: 'secret',
    fetch: async () => Response.json(answer),
  });

it('an answer that is no target does not mean that no firmware is assigned', async () => {
  expect(await read(null)).toBeNull();
  await expect(read({ status: 'Sign in to the network' })).rejects.toThrow('something else answered');
});
