import type { IncomingHttpHeaders } from 'node:http';
import { expect, it } from 'vitest';
import { sql } from '#server/infra/db/sql.ts';
import { anEvent } from '#test/modules.ts';
import { createdModule } from '#test/moduleTypes.ts';
import { aPartition } from '#test/partition.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { until } from '#test/until.ts';
import { aWebServer } from '#test/webServer.ts';

const at = aProjectWorld({ ALLOW_PRIVATE_TARGETS: '127.0.0.1' });

it('a delivery has seven attempts over 17.5 hours, each with its own signature and the same id, and then fails', async () => {
  await aPartition(at.world, 'device_events');
  const got: IncomingHttpHeaders[] = [];
  await using receiver = await aWebServer((request, response) => {
    got.push(request.headers);
    response.writeHead(500).end();
  });
  const config = { url: `http://127.0.0.1:${receiver.port}/` };
  const { id } = await createdModule(at, 'webhook', config, { subscribedEvents: ['*'] });
  await anEvent(at, (await at.device()).id, 'door');

  const triedFor = (attempts: number) =>
    until(() =>
      at.world.platform.db.one<{ state: string; waitS: number | null }>(sql`
        select state, round(extract(epoch from next_at - last_at))::float8 as "waitS"
        from module_runs where module_id = ${id} and attempts = ${attempts}`),
    );
  const waits: (number | null)[] = [];
  for (let attempt = 1; attempt <= 7; attempt += 1) {
    const { state, waitS } = await triedFor(attempt);
    waits.push(waitS);
    expect(state).toBe(attempt < 7 ? 'waiting' : 'failed');
    at.world.pass((waitS ?? 0) * 1000);
  }
  expect(waits).toEqual([5, 300, 1800, 7200, 18_000, 36_000, null]);
  const differing = (name: string) => new Set(got.map(headers => headers[name])).size;
  expect(['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(differing)).toEqual([1, 7, 7]);
});
