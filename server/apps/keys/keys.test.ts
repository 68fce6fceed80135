import { expect, it } from 'vitest';
import { listKvPairs } from '#contract/deviceClass.ts';
import { createKey, deleteKey, editKey, keysMax, listKeys, readKey, rotateKey } from '#contract/key.ts';
import { hourMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { failing } from '#test/failing.ts';
import { aKey } from '#test/keys.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { auditOf } from '#test/rows.ts';

const at = aProjectWorld();
const mine = (given: Partial<Parameters<typeof aKey>[2]> = {}) =>
  aKey(at.world, at.owner, { projectId: at.projectId, ...given });
const params = ({ key }: { key: { id: string } }) => ({ params: { keyId: key.id } });

it('the secret is shown once and stored only as its hash', async () => {
  const made = await mine();
  expect(made.secret).toMatch(/^mor_\w{46}$/);
  expect(made.key).toMatchObject({
    canSendCommands: true,
    canSendEvents: true,
    canUpdateKVStores: true,
    canHandleBYOU: false,
    canAdmin: false,
    suspended: false,
    secretEnd: made.secret.slice(-4),
    createdBy: at.owner.developer.name,
    addresses: [],
  });
  expect(await at.owner.client.call(readKey, params(made))).toEqual(made.key);
  const { items } = await at.owner.client.call(listKeys, { params: { projectId: at.projectId } });
  const row = await at.world.platform.db.one(sql`select k::text from keys k where id = ${made.key.id}`);
  const audit = await auditOf(at.world, at.projectId);
  expect(audit.map(({ text }) => text)).toContain(`Key ${made.key.name} created`);
  expect(JSON.stringify([items, row, audit])).not.toContain(made.secret.slice(4, -4));
});

it('creating a key twice with the same idempotency key yields one secret', async () => {
  const create = () =>
    at.owner.client.call(createKey, {
      params: { projectId: at.projectId },
      body: { name: 'Once' },
      idempotencyKey: 'once',
    });
  const [first, second] = [await create(), await create()];
  expect(second).toEqual(first);
});

it('an edit changes only the fields it contains', async () => {
  const made = await mine({ description: 'Bills', addresses: ['203.0.113.0/28', '2001:db8::/32'] });
  const until = new Date(at.world.now().getTime() + hourMs).toISOString();
  const edited = await at.owner.client.call(editKey, {
    ...params(made),
    body: { canAdmin: true, expiresAt: until, adviceSnoozedUntil: until },
  });
  const { revision } = made.key;
  expect(edited).toEqual({
    ...made.key,
    canAdmin: true,
    expiresAt: until,
    adviceSnoozedUntil: until,
    revision: revision + 1,
  });
  const endless = await at.owner.client.call(editKey, {
    ...params(made),
    body: { expiresAt: null, adviceSnoozedUntil: null, addresses: [] },
  });
  expect(endless).toEqual({ ...made.key, canAdmin: true, addresses: [], revision: revision + 2 });
});

it.each([
  '300.1.1.1',
  '10.0.0.0/33',
  '10.0.0.0/08',
  '::1/129',
  'fe80::1%eth0',
  'localhost',
  '1.2.3',
  '10.0.0.1/-1',
  ' 10.0.0.1',
])('a key cannot be restricted to the address %j', async entry => {
  const refused = await failing(mine({ addresses: ['10.0.0.1', entry] }), 'ADDRESS_LIST_UNFIT');
  expect(refused.fields).toEqual({ 'addresses.1': 'ADDRESS_LIST_UNFIT' });
});

it('a key cannot expire in the past', async () => {
  await failing(mine({ expiresAt: '2020-01-01T00:00:00Z' }), 'EXPIRY_PAST');
});

it('a rotation returns a new secret, and describes the previous one and how long it works', async () => {
  const made = await mine();
  const { secret = '', ...rotated } = await at.owner.client.call(rotateKey, { ...params(made), body: {} });
  expect(secret).not.toBe(made.secret);
  const until = Date.parse(rotated.previousSecret?.until ?? '') - at.world.now().getTime();
  expect(until / hourMs).toBeCloseTo(24, 0);
  expect(rotated).toMatchObject({
    secretEnd: secret.slice(-4),
    previousSecret: { end: made.key.secretEnd, uses: 0 },
  });
  const at0 = await at.owner.client.call(rotateKey, { ...params(made), body: { graceS: 0 } });
  expect(at0).not.toHaveProperty('previousSecret');
});

it('a deleted key no longer exists', async () => {
  const made = await mine();
  await at.owner.client.call(deleteKey, params(made));
  await failing(at.owner.client.call(readKey, params(made)), 'KEY_NOT_FOUND');
  const { id } = await at.deviceClass();
  await failing(made.client.call(listKvPairs, { params: { classId: id } }), 'KEY_REFUSED');
});

it('a project has a limited number of keys', async () => {
  const { id: projectId } = await at.world.aProject(at.owner);
  await at.world.platform.db.run(sql`
    insert into keys (project_id, id, name, can_send_commands, can_send_events, can_handle_byou, can_update_kv_stores,
      can_admin, secret_hash, secret_end, secret_created_at, created_at, created_by)
    select ${projectId}, ${projectId} || n, '', true, true, true, true, true, sha256((${projectId} || n)::bytea), '',
      now(), now(), '' from generate_series(1, ${keysMax}) n`);
  await failing(mine({ projectId }), 'TOO_MANY_KEYS');
});
