import { beforeAll, expect, it } from 'vitest';
import { logIn } from '#contract/account.ts';
import { createDevice, listDevices } from '#contract/device.ts';
import { listKvPairs } from '#contract/deviceClass.ts';
import { type Capability, capabilities } from '#contract/endpoint.ts';
import { editKey, endPreviousSecret, type KeyUse, readKey, readKeyUse, rotateKey } from '#contract/key.ts';
import { deleteProject } from '#contract/project.ts';
import { dayMs, hourMs, minuteMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { failing } from '#test/failing.ts';
import { aBackEnd, aKey, type BackEnd } from '#test/keys.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { untilWaiting } from '#test/untilWaiting.ts';

const at = aProjectWorld({ TRUST_PROXY: '1' });
const mine = (given: Partial<Parameters<typeof aKey>[2]> = {}) =>
  aKey(at.world, at.owner, { projectId: at.projectId, ...given });
const params = ({ key }: { key: { id: string } }) => ({ params: { keyId: key.id } });
const from = (secret: string, address: string) => aBackEnd(at.world, secret, { 'x-forwarded-for': address });

let classId = '';
beforeAll(async () => {
  classId = (await at.deviceClass()).id;
});

/** A call that requires `canUpdateKVStores`. */
const readKv = ({ client }: BackEnd) => client.call(listKvPairs, { params: { classId } });

/** The developer's session expires meanwhile. */
async function passDays(days: number): Promise<void> {
  at.world.pass(days * dayMs);
  const { email, password } = at.owner;
  await at.owner.client.call(logIn, { body: { email, password, orgId: 'default' } });
}

const use = (made: { key: { id: string } }) => at.owner.client.call(readKeyUse, params(made));
const used = (of: KeyUse, name: Capability) => of.capabilities.find(({ capability }) => capability === name);

it('a suspended key is refused from the next call on, and works again once it is resumed', async () => {
  const made = await mine();
  await readKv(made);
  const suspend = (suspended: boolean) =>
    at.owner.client.call(editKey, { ...params(made), body: { suspended } });
  await suspend(true);
  await failing(readKv(made), 'KEY_REFUSED');
  await suspend(false);
  await readKv(made);
});

it('an expired key is refused', async () => {
  const expiresAt = new Date(at.world.now().getTime() + hourMs).toISOString();
  const made = await mine({ expiresAt });
  await readKv(made);
  at.world.pass(hourMs);
  await failing(readKv(made), 'KEY_REFUSED');
});

it.each(['', 'mor_', 'nonsense', `mor_${'a'.repeat(46)}`])('%j is not a valid secret', async secret => {
  await failing(readKv(aBackEnd(at.world, secret)), 'KEY_REFUSED');
});

it('the keys of a deleted project are refused at once', async () => {
  const { id: projectId } = await at.world.aProject(at.owner);
  const { client } = await mine({ projectId, canAdmin: true });
  const list = () => client.call(listDevices, { query: { projectId } });
  await list();
  await at.owner.client.call(deleteProject, { params: { projectId } });
  await failing(list(), 'KEY_REFUSED');
});

it('a key works only from the addresses in its list', async () => {
  const { secret } = await mine({ addresses: ['203.0.113.0/28', '2001:db8::/32'] });
  await readKv(from(secret, '203.0.113.15'));
  await readKv(from(secret, '2001:db8::7'));
  await readKv(from(secret, '::ffff:203.0.113.1'));
  await failing(readKv(from(secret, '203.0.113.16')), 'ADDRESS_NOT_ALLOWED');
  await failing(readKv(from(secret, '2001:db9::7')), 'ADDRESS_NOT_ALLOWED');
  await failing(readKv(aBackEnd(at.world, secret)), 'ADDRESS_NOT_ALLOWED');
});

it('a previous secret works until its time is over, and its uses are counted', async () => {
  const made = await mine();
  const rotated = await at.owner.client.call(rotateKey, { ...params(made), body: { graceS: 600 } });
  await readKv(aBackEnd(at.world, rotated.secret ?? ''));
  await readKv(from(made.secret, '203.0.113.8'));
  await readKv(from(made.secret, '203.0.113.8'));
  expect((await use(made)).calls).toBe(3);
  const { previousSecret } = await at.owner.client.call(readKey, params(made));
  expect(previousSecret).toMatchObject({ uses: 2, lastUsedFrom: '203.0.113.8' });
  at.world.pass(10 * minuteMs);
  await failing(readKv(made), 'KEY_REFUSED');
  await readKv(aBackEnd(at.world, rotated.secret ?? ''));
  expect(await at.owner.client.call(readKey, params(made))).not.toHaveProperty('previousSecret');
  await failing(at.owner.client.call(endPreviousSecret, params(made)), 'NO_PREVIOUS_SECRET');
});

it('a previous secret that is ended early is refused from the next call on', async () => {
  const made = await mine();
  await at.owner.client.call(rotateKey, { ...params(made), body: {} });
  await readKv(made);
  await at.owner.client.call(endPreviousSecret, params(made));
  await failing(readKv(made), 'KEY_REFUSED');
});

it('calls are counted by capability, day and address, and refused calls are listed', async () => {
  const made = await mine({ canAdmin: true, addresses: ['203.0.113.0/24'] });
  const { secret } = made;
  await readKv(from(secret, '203.0.113.7'));
  await readKv(from(secret, '203.0.113.7'));
  await passDays(1);
  await from(secret, '203.0.113.8').client.call(listDevices, { query: { projectId: at.projectId } });
  // A call with invalid input also counts as a use of the key.
  await failing(
    from(secret, '203.0.113.8').client.call(createDevice, { body: { projectId: at.projectId } } as never),
    'INVALID_FIELDS',
  );
  await failing(readKv(from(secret, '198.51.100.24')), 'ADDRESS_NOT_ALLOWED');
  const counted = await use(made);
  expect(counted.calls).toBe(4);
  expect(counted.capabilities.map(({ capability, calls }) => [capability, calls])).toEqual(
    capabilities.map(name => [name, { canUpdateKVStores: 2, canAdmin: 2 }[name as string] ?? 0]),
  );
  expect(used(counted, 'canUpdateKVStores')?.days).toHaveLength(1);
  expect(counted.refused).toMatchObject({
    count: 1,
    latest: [{ method: 'GET', reason: 'ADDRESS_NOT_ALLOWED', address: '198.51.100.24' }],
  });
  expect(counted.addresses).toEqual([
    { address: '203.0.113.7', calls: 2 },
    { address: '203.0.113.8', calls: 2 },
  ]);
  const { lastUsedFrom } = await at.owner.client.call(readKey, params(made));
  expect(lastUsedFrom).toBe('203.0.113.8');
});

it('deleting a key during a flush does not lose the counts of other keys', async () => {
  const [gone, kept] = [await mine(), await mine()];
  const counted = await at.world.platform.db.tx(async tx => {
    await tx.run(sql`delete from keys where id = ${gone.key.id}`);
    // Counted while the deletion is uncommitted: the flush, once a second, waits for it.
    for (const made of [gone, kept]) await readKv(made);
    const reading = use(kept);
    await untilWaiting(at.world, 1);
    return { reading };
  });
  expect((await counted.reading).calls).toBe(1);
});

it('all refused calls are counted, and the latest are kept', async () => {
  const made = await mine();
  for (let i = 0; i < 25; i += 1)
    await failing(
      made.client.call(listDevices, { query: { projectId: at.projectId } }),
      'MISSING_CAPABILITY',
    );
  const { refused } = await use(made);
  expect([refused.count, refused.latest.length]).toEqual([25, 20]);
});

it('a key that is old enough lists capabilities it does not need, unless this advice is snoozed', async () => {
  const made = await mine({ canAdmin: true });
  const advice = async () =>
    Object.fromEntries((await use(made)).capabilities.map(one => [one.capability, one.advice]));
  expect(await advice()).toMatchObject({ canAdmin: undefined, canSendEvents: undefined });
  await passDays(29);
  await readKv(made);
  await passDays(1);
  await readKv(made);
  await made.client.call(listDevices, { query: { projectId: at.projectId } });
  expect(await advice()).toEqual({
    canSendCommands: 'unused',
    canSendEvents: 'unused',
    canHandleBYOU: undefined,
    canUpdateKVStores: undefined,
    canAdmin: 'rare',
  });
  const adviceSnoozedUntil = new Date(at.world.now().getTime() + dayMs).toISOString();
  await at.owner.client.call(editKey, { ...params(made), body: { adviceSnoozedUntil } });
  expect(await advice()).toMatchObject({ canAdmin: undefined, canSendEvents: undefined });
});
