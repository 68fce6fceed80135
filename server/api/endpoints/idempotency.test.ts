import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { activateAuth2F } from '#contract/account.ts';
import { createProject, listProjects } from '#contract/project.ts';
import { sql } from '#server/infra/db/sql.ts';
import { atOnce } from '#test/atOnce.ts';
import { failing } from '#test/failing.ts';
import { rawCall } from '#test/rawCall.ts';
import { type SignedIn, theWorld, unique } from '#test/world.ts';

const world = theWorld();

const create = ({ client }: SignedIn, name: string, idempotencyKey: string) =>
  client.call(createProject, { body: { name }, idempotencyKey });
const projectsOf = async ({ client }: SignedIn) =>
  (await client.call(listProjects)).items.filter(({ isSample }) => !isSample);

describe('an idempotency key', () => {
  it('creates one object for fifty concurrent requests, which all get the same answer', async () => {
    const owner = await world.aDeveloper();
    const { answers } = await atOnce(50, () => create(owner, 'Once', 'double click'));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(answers).toHaveLength(50);
    expect(await projectsOf(owner)).toHaveLength(1);
  });

  it('gives a later retry the first answer, with the same status', async () => {
    const { fetch } = await world.aDeveloper();
    const send = () =>
      rawCall(fetch, ['POST', `${world.url}/api/projects`], { name: 'Once' }, { 'idempotency-key': 'k' });
    const [first, second] = [await send(), await send()];
    expect([second.status, second.text]).toEqual([first.status, first.text]);
    expect(first.status).toBe(201);
  });

  it('is rejected with a different body', async () => {
    const owner = await world.aDeveloper();
    await create(owner, 'One', 'key');
    await failing(create(owner, 'Two', 'key'), 'IDEMPOTENCY_KEY_REUSED');
    expect(await projectsOf(owner)).toHaveLength(1);
  });

  it('can be used again after a failure', async () => {
    const owner = await world.aDeveloper();
    const set = (max: number) =>
      world.platform.db.run(
        sql`update developers set max_projects = ${max} where id = ${owner.developer.id}`,
      );
    await set(0);
    await failing(create(owner, 'Again', 'key'), 'PROJECT_LIMIT_REACHED');
    await set(1);
    expect(await create(owner, 'Again', 'key')).toHaveProperty('name', 'Again');
  });

  it('belongs to one developer', async () => {
    const [owner, other] = [await world.aDeveloper(), await world.aDeveloper()];
    const [mine, theirs] = [await create(owner, 'Same', 'key'), await create(other, 'Same', 'key')];
    expect(mine.id).not.toBe(theirs.id);
  });

  it.each(['', 'k'.repeat(201)])('that is empty or too long is rejected', async key => {
    const { fetch } = await world.aDeveloper();
    const body = { name: unique('project') };
    const headers = { 'idempotency-key': key };
    const { problem } = await rawCall(fetch, ['POST', `${world.url}/api/projects`], body, headers);
    expect(problem).toMatchObject({ reason: 'INVALID_FIELDS', fields: { 'Idempotency-Key': 'INVALID' } });
  });

  it('stores neither the answer nor the request in a form that can be read or guessed from the database', async () => {
    const owner = await world.aDeveloper();
    const body = { password: owner.password };
    const { auth2FSecret } = await owner.client.call(activateAuth2F, { body, idempotencyKey: 'key' });
    const rows = await world.platform.db.many<{ row: string }>(
      sql`select k::text as row from idempotency_keys k where caller = ${owner.developer.id}`,
    );
    const kept = JSON.stringify(rows);
    const request = `POST /api/auth/activateAuth2F\n${JSON.stringify(body)}`;
    expect(rows).toHaveLength(1);
    expect(kept).not.toContain(Buffer.from(auth2FSecret).toString('hex'));
    expect(kept).not.toContain(createHash('sha256').update(request).digest('hex'));
  });
});
