import { beforeAll, expect, it } from 'vitest';
import { readSmartModule } from '#contract/smartModule.ts';
import { addStrike } from '#server/modules/rests/store.ts';
import { aModule } from '#test/modules.ts';
import { operatorOf, type Said } from '#test/operator.ts';
import { aProjectWorld } from '#test/projectWorld.ts';

const at = aProjectWorld();
let mooring: (...words: string[]) => Promise<Said>;
beforeAll(async () => {
  mooring = operatorOf(at.world);
});

it('module list shows first what rests, and why; module suspend stops it, and its team gets an e-mail', async () => {
  const { platform } = at.world;
  const [quiet, bad] = [await aModule(at, { moduleType: 'rule' }), await aModule(at, { moduleType: 'rule' })];
  const because = 'It was stopped: it used more memory than an expression may.';
  await addStrike(platform.db, { projectId: at.projectId, id: bad }, { because, now: new Date() });
  const { code, out } = await mooring('module', 'list');
  expect(code).toBe(0);
  const lines = out.split('\n');
  expect(lines[1]).toMatch(new RegExp(`^${at.projectId} +${bad} +rule +resting +0 +${because}`));
  expect((await mooring('module', 'list', at.projectId)).out).toContain(quiet);

  const said = await mooring('module', 'suspend', at.projectId, bad);
  expect([said.code, said.out]).toEqual([0, expect.stringContaining('Suspended.')]);
  const params = { projectId: at.projectId, moduleId: bad };
  expect(await at.owner.client.call(readSmartModule, { params })).toMatchObject({
    state: 'suspended',
    suspendedBecause: 'The operator of the platform suspended it',
  });
  const mails = await at.world.mailsTo(at.owner.email);
  expect(mails.map(({ subject }) => subject)).toContain(`Smart module ${bad} was suspended`);
  expect((await mooring('module', 'suspend', at.projectId, bad)).out).toContain('It is suspended already.');
  const none = await mooring('module', 'suspend', at.projectId, 'nothing');
  expect([none.code, none.err]).toEqual([2, expect.stringContaining('has no smart module nothing.')]);
});
