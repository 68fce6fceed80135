import { describe, expect, it } from 'vitest';
import { editDeveloper, onboardFlags } from '#contract/account.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { atOnce } from '#test/atOnce.ts';
import { failing } from '#test/failing.ts';
import { auditOf } from '#test/rows.ts';
import { type SignedIn, theWorld } from '#test/world.ts';

const world = theWorld();

type Body = NonNullable<Parameters<typeof edit>[1]>;
const edit = (
  { client, developer }: SignedIn,
  body: { name?: string; onboardStates?: Partial<Record<(typeof onboardFlags)[number], true | string>> },
  ifMatch?: number,
) =>
  client.call(editDeveloper, {
    params: { developerId: developer.id },
    body,
    ...(ifMatch !== undefined && { ifMatch }),
  });

describe('an onboarding flag', () => {
  it('keeps the time it was first set, by the server’s clock', async () => {
    const owner = await world.aDeveloper();
    const lie = { started: '2001-01-01T00:00:00.000Z' };
    const { onboardStates: first } = await edit(owner, { onboardStates: lie });
    expect(Math.abs(Date.parse(first.started ?? '') - world.now().getTime())).toBeLessThan(minuteMs);
    world.pass(minuteMs);
    const { onboardStates: second } = await edit(owner, { onboardStates: { started: true, skipped: true } });
    expect(second.started).toBe(first.started);
    expect(Date.parse(second.skipped ?? '')).toBeGreaterThan(Date.parse(first.started ?? ''));
  });

  it('set twenty times at once gets one time, and no other flag is lost', async () => {
    const owner = await world.aDeveloper();
    const { answers } = await atOnce(20, n => {
      const flag = onboardFlags[n % onboardFlags.length] ?? 'started';
      return edit(owner, { onboardStates: { started: true, [flag]: true } });
    });
    expect(new Set(answers.map(({ onboardStates }) => onboardStates.started)).size).toBe(1);
    const { onboardStates } = await edit(owner, { onboardStates: {} });
    expect(Object.keys(onboardStates).toSorted()).toEqual([...onboardFlags].toSorted());
  });

  it.each([{ finished: true }, { started: false }, { started: 'soon' }])('%j is refused', async flags => {
    const owner = await world.aDeveloper();
    const body = { onboardStates: flags } as unknown as Body;
    const refused = await edit(owner, body).catch((error: { status: number }) => error.status);
    expect(refused).toBe(400);
  });
});

describe('a name', () => {
  it('is changed with one entry that contains the old name', async () => {
    const owner = await world.aDeveloper({ name: 'Ada' });
    expect(await edit(owner, { name: '  Ada King  ' })).toHaveProperty('name', 'Ada King');
    const [entry, ...more] = (await auditOf(world, owner.developer.id)).filter(
      ({ action }) => action === 'editDeveloper',
    );
    expect(more).toEqual([]);
    expect(entry?.detail).toMatchObject({ before: { name: 'Ada' }, after: { name: 'Ada King' } });
  });

  it.each(['', '   ', 'a\nb', 'a\u0007b', 'a'.repeat(101)])('%j is refused', async name => {
    const owner = await world.aDeveloper();
    await failing(edit(owner, { name }), 'INVALID_FIELDS');
  });

  it('changed in two tabs at once is not overwritten: the second change is refused', async () => {
    const owner = await world.aDeveloper();
    const { revision } = owner.developer;
    const { answers, reasons } = await atOnce(2, n => edit(owner, { name: `Tab ${n}` }, revision));
    expect([answers.length, reasons]).toEqual([1, ['STALE']]);
    const stale = await failing(edit(owner, { name: 'Late' }, revision), 'STALE');
    expect(stale.context).toMatchObject({ current: { name: answers[0]?.name } });
    expect(await edit(owner, { name: 'In time' }, answers[0]?.revision)).toHaveProperty('name', 'In time');
  });
});

it.each([
  { id: 'x' },
  { orgId: 'x' },
  { verified: true },
  { sudoer: 'x' },
  { maxProjects: 99 },
  { revision: 9 },
])('a developer cannot write %j', async body => {
  const owner = await world.aDeveloper();
  await failing(edit(owner, body as unknown as Body), 'UNKNOWN_FIELD');
});
