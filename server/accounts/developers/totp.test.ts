import { describe, expect, it } from 'vitest';
import { logInWithCode } from '#contract/account.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { atOnce } from '#test/atOnce.ts';
import { failing } from '#test/failing.ts';
import { sessionsOf } from '#test/rows.ts';
import { type Authenticator, anAuthenticator, firstStep } from '#test/secondFactor.ts';
import { type SignedIn, theWorld } from '#test/world.ts';

const world = theWorld();

async function protectedAccount(): Promise<[SignedIn, Authenticator]> {
  const owner = await world.aDeveloper();
  return [owner, await anAuthenticator(world, owner)];
}
const second = (token: string, code: string) =>
  world.visitor().client.call(logInWithCode, { body: { token, code } });
const first = (owner: SignedIn) => firstStep(world.visitor(), owner);

describe('a code', () => {
  it('is accepted with spaces', async () => {
    const [owner, { code }] = await protectedAccount();
    const spaced = ` ${code().slice(0, 3)} ${code().slice(3)} `;
    expect(await second(await first(owner), spaced)).toHaveProperty('session');
  });

  it.each([
    ['of seven digits', (code: string) => `${code}0`, 'AUTH_CODE_EXCEED_LENGTH'],
    ['of five digits', (code: string) => code.slice(1), 'INVALID_TOKEN'],
    [
      'in full-width digits',
      (code: string) => code.replace(/\d/g, d => String.fromCodePoint(0xff10 + Number(d))),
      'INVALID_TOKEN',
    ],
    ['that is empty', () => '', 'INVALID_TOKEN'],
    ['of letters', () => 'abcdef', 'INVALID_TOKEN'],
  ] as const)('%s is refused', async (_, change, reason) => {
    const [owner, { code }] = await protectedAccount();
    const { fields } = await failing(second(await first(owner), change(code())), reason);
    expect(fields).toEqual({ code: reason });
  });

  it('is accepted one time step early or late, but not two', async () => {
    for (const [steps, taken] of [
      [-2, false],
      [-1, true],
      [1, true],
      [2, false],
    ] as const) {
      const [owner, { code }] = await protectedAccount();
      world.pass(2 * minuteMs);
      const answer = second(await first(owner), code(steps));
      if (taken) expect(await answer).toHaveProperty('session');
      else await failing(answer, 'INVALID_TOKEN');
    }
  });

  it('is accepted once, and no earlier one after it', async () => {
    const [owner, { code }] = await protectedAccount();
    world.pass(2 * minuteMs);
    const [now, before] = [code(), code(-1)];
    await second(await first(owner), now);
    await failing(second(await first(owner), now), 'INVALID_TOKEN');
    await failing(second(await first(owner), before), 'INVALID_TOKEN');
  });

  it('sent four times at once, each with its own token, opens one session', async () => {
    const [owner, { code }] = await protectedAccount();
    const tokens = [await first(owner), await first(owner), await first(owner), await first(owner)];
    const before = await sessionsOf(world, owner);
    const { answers, reasons } = await atOnce(4, n => second(tokens[n] ?? '', code()));
    expect([answers.length, reasons]).toEqual([1, ['INVALID_TOKEN', 'INVALID_TOKEN', 'INVALID_TOKEN']]);
    expect(await sessionsOf(world, owner)).toBe(before + 1);
  });
});

describe('the token between the two steps', () => {
  it('opens one session, even with concurrent calls', async () => {
    const [owner, { code }] = await protectedAccount();
    const token = await first(owner);
    const { answers } = await atOnce(10, () => second(token, code()));
    expect(answers).toHaveLength(1);
    world.pass(15 * minuteMs);
    await failing(second(token, code()), 'AUTH2F_EXPIRED');
  });

  it('expires after five minutes', async () => {
    const [owner, { code }] = await protectedAccount();
    const [early, late] = [await first(owner), await first(owner)];
    world.pass(4 * minuteMs);
    expect(await second(early, code())).toHaveProperty('session');
    world.pass(minuteMs);
    await failing(second(late, code()), 'AUTH2F_EXPIRED');
  });

  it('allows five attempts, after which the right code is refused too', async () => {
    const [owner, { code }] = await protectedAccount();
    const token = await first(owner);
    for (let i = 0; i < 5; i++) await failing(second(token, 'abcdef'), 'INVALID_TOKEN');
    await failing(second(token, code()), 'AUTH2F_EXPIRED');
  });

  it.each(['x'.repeat(43), "' or 1=1 --"])('that was made up is refused: %s', async token => {
    await failing(second(token, '123456'), 'AUTH2F_EXPIRED');
  });
});

describe('guessing codes with a known password', () => {
  it('is limited to a few codes, with any number of tokens, and the owner can sign in afterwards', async () => {
    const [owner, { code }] = await protectedAccount();
    let compared = 0;
    let retryAfterS = 0;
    for (let round = 0; round < 20; round++) {
      const token = await first(owner);
      for (let i = 0; i < 5; i++) {
        const refused = await second(token, String(100_000 + round * 5 + i)).catch(error => error);
        if (refused.reason === 'INVALID_TOKEN') compared += 1;
        else retryAfterS = refused.retryAfterS;
      }
    }
    expect(compared).toBeLessThan(12);
    expect(retryAfterS).toBeLessThanOrEqual(900);
    world.pass(15 * minuteMs);
    expect(await second(await first(owner), code())).toHaveProperty('session');
  });

  it('is recorded in the audit log, refusal by refusal', async () => {
    const [owner] = await protectedAccount();
    await failing(second(await first(owner), '000000'), 'INVALID_TOKEN');
    const rows = await world.platform.db.many<{ text: string }>(sql`
      select text from log_entries where subject = ${owner.developer.id} and action = 'logInWithCode'`);
    expect(rows.map(({ text }) => text)).toEqual([
      `Refused (INVALID_TOKEN): Signed in with two-factor authentication as ${owner.email}`,
    ]);
  });
});
