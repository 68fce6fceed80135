import { Server } from 'node:net';
import { expect, it, vi } from 'vitest';
import { aWorld } from '#test/world.ts';

it('every port lets as many connections wait as the system allows, for a fleet that comes at once', async () => {
  const listen = vi.spyOn(Server.prototype, 'listen');
  const world = await aWorld({ MQTT_PORT: '0' });
  const opened = listen.mock.calls.map(([options]) => options);
  listen.mockRestore();
  await world.end();
  expect(opened.length).toBeGreaterThanOrEqual(2);
  for (const one of opened) expect(one).toMatchObject({ backlog: 4_096 });
});
