import { expect, it } from 'vitest';
import { sql } from '#server/infra/db/sql.ts';
import { aChain } from '#test/chain.ts';
import { operatorOf } from '#test/operator.ts';

const at = aChain();
const verify = (...words: string[]) => operatorOf(at.world)('audit', 'verify', ...words);

it('audit verify reports what it checked and the head hash', async () => {
  await at.fiveEntries();
  const { code, out } = await verify(at.projectId);
  const { headHash = '' } = await at.verify();
  expect(code).toBe(0);
  expect(out).toMatch(/^intact\n6 entries checked, .*\nhead [0-9a-f]{64}\n$/);
  expect(out).toContain(headHash);
  expect((await verify(at.projectId, headHash)).out).toMatch(/^intact/);
  expect((await verify('default')).out).toMatch(/^intact/);
});

it('audit verify exits with 1 if the chain is broken, and with 2 if there is no such log', async () => {
  await at.fiveEntries();
  await at.tamper(
    sql`update log_entries set text = 'x' where project_id = ${at.projectId} and text = 'entry 1'`,
  );
  expect(await verify(at.projectId)).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^BROKEN {2}This entry or its place in the chain was changed/),
  });
  expect(await verify('prj_none')).toMatchObject({ code: 2 });
});
