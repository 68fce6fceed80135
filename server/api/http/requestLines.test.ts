import { expect, it } from 'vitest';
import { listProjects } from '#contract/project.ts';
import { uploaded } from '#test/logRequests.ts';
import { aWorld } from '#test/world.ts';

it('with LOG_LEVEL=debug, each request and job has a line, without the token of a link', async () => {
  const lines: string[] = [];
  const world = await aWorld(
    { LOG_LEVEL: 'debug' },
    { log: (level, text) => lines.push(`${level} ${text}`) },
  );
  const owner = await world.aDeveloper();
  await owner.client.call(listProjects, { query: { search: 'secret' } });
  const { url } = await uploaded(world);
  await fetch(url);
  await expect.poll(() => lines).toContain('debug GET /api/projects 200');
  await expect.poll(() => lines).toContain('debug GET /files/:token 200');
  expect(lines.some(line => /^debug .*task/i.test(line))).toBe(true);
  const said = lines.join('\n');
  expect(said).not.toContain(new URL(url).pathname.split('/').at(-1));
  expect(said).not.toContain('secret');
  await world.end();
});
