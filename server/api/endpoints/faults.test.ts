import { expect, it, vi } from 'vitest';
import { sql } from '#server/infra/db/sql.ts';
import { rawCall } from '#test/rawCall.ts';
import { theWorld } from '#test/world.ts';

const world = theWorld();

it('an internal error is logged with its request id, and not explained to the caller', async () => {
  const owner = await world.aDeveloper();
  const lines: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation(text => lines.push(String(text)) > 0);
  await world.platform.db.run(sql`alter table projects rename to mislaid`);
  try {
    const body = { name: 'four words of nonsense' };
    const answer = await rawCall(owner.fetch, ['POST', `${world.url}/api/projects?`], body);
    expect(answer.status).toBe(500);
    expect(answer.problem).toEqual({
      reason: 'DISABLED',
      message: 'This function is disabled temporarily.',
    });
    const line = lines.find(text => text.includes('POST /api/projects failed'));
    expect(line).toContain(answer.headers.get('x-request-id'));
    expect(line).toContain('projects');
    expect(lines.join()).not.toContain(body.name);
  } finally {
    await world.platform.db.run(sql`alter table mislaid rename to projects`);
  }
  expect((await rawCall(owner.fetch, ['GET', `${world.url}/api/projects`])).status).toBe(200);
});
