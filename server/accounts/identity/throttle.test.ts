import { describe, expect, it } from 'vitest';
import { logIn, resetPassword, startPasswordReset } from '#contract/account.ts';
import { dayMs, minuteMs } from '#rules/time/durations.ts';
import { sql } from '#server/infra/db/sql.ts';
import { atOnce } from '#test/atOnce.ts';
import { failing } from '#test/failing.ts';
import { rawCall } from '#test/rawCall.ts';
import { aWorld, type SignedIn, theWorld, unique } from '#test/world.ts';

const masterKey = 'a7'.repeat(32);
const world = theWorld({ TRUST_PROXY: '1', MASTER_KEY: masterKey });

let addresses = 0;
/** An address that is used nowhere else in this file. */
function anAddress(): string {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}
const from = (address: string, at = world) => at.visitor({ 'x-forwarded-for': address });
const enter = (visitor: Pick<SignedIn, 'client'>, email: string, password: string) =>
  visitor.client.call(logIn, { body: { email, password, orgId: 'default' } });

const waitMaxMs = 15 * minuteMs;

/**
 * Sends a thousand wrong passwords, fifty at a time, each time after the longest wait; returns how many were compared.
 */
async function attack(email: string, address: () => string): Promise<number> {
  let compared = 0;
  for (let i = 0; i < 20; i++) {
    world.pass(waitMaxMs);
    const { answers, reasons } = await atOnce(50, n => enter(from(address()), email, `guess ${i} ${n}`));
    expect(answers).toEqual([]);
    compared += reasons.filter(reason => reason === 'LOGIN_FAILED').length;
  }
  return compared;
}

/** Guesses at accounts that do not exist, one after the other, and waits when told to. */
async function guessAnywhere(visitor: () => Pick<SignedIn, 'client'>): Promise<void> {
  for (let i = 0; i < 30; i++) {
    if (i >= 20) world.pass(waitMaxMs);
    await failing(enter(visitor(), `${unique('nobody')}@example.com`, 'wrong'), 'LOGIN_FAILED');
  }
}

it('right passwords at another organization never count as guesses, and are told where the account is', async () => {
  const { email, password } = await world.aDeveloper();
  await world.platform.db.run(sql`
    insert into organizations (id, name) values ('elsewhere', 'Elsewhere') on conflict do nothing`);
  for (let i = 0; i < 10; i++) await enter(from(anAddress()), email, password);
  const body = { email, password, orgId: 'elsewhere' };
  await failing(from(anAddress()).client.call(logIn, { body }), 'LOGIN_ORG_MISMATCH');
});

describe('once a clock that was far ahead is right again', () => {
  const aheadMs = 40 * dayMs;

  it('nobody waits for guesses that were counted meanwhile', async () => {
    const { email, password } = await world.aDeveloper();
    world.pass(aheadMs);
    for (let n = 0; n < 5; n++) await failing(enter(from(anAddress()), email, 'wrong'), 'LOGIN_FAILED');
    world.pass(-aheadMs);
    await enter(from(anAddress()), email, password);
  });

  it('nobody waits for a turn that was promised meanwhile', async () => {
    const visitor = from(anAddress());
    const guess = (email = `${unique('nobody')}@example.com`) => enter(visitor, email, 'wrong');
    const told = `${unique('nobody')}@example.com`;
    world.pass(aheadMs);
    for (let n = 0; n < 20; n++) await failing(guess(), 'LOGIN_FAILED');
    await failing(guess(told), 'TOO_MANY_REQUESTS');
    world.pass(-aheadMs);
    await failing(guess(), 'LOGIN_FAILED');
    const { retryAfterS } = await failing(guess(told), 'TOO_MANY_REQUESTS');
    expect(retryAfterS).toBeLessThanOrEqual(5);
  });
});

describe('a thousand wrong passwords', () => {
  it('from one address are compared only a few times, and none gets in', async () => {
    const { email, password } = await world.aDeveloper();
    const address = anAddress();
    expect(await attack(email, () => address)).toBeLessThan(30);
    await failing(enter(from(address), email, password), 'TOO_MANY_REQUESTS');
  });

  it('from a thousand addresses are compared only a few times, and none gets in', async () => {
    const { email, password } = await world.aDeveloper();
    expect(await attack(email, anAddress)).toBeLessThan(30);
    await failing(enter(from(anAddress()), email, password), 'TOO_MANY_REQUESTS');
  });

  it('never lock the owner out of a known browser, and elsewhere for at most a quarter of an hour', async () => {
    const owner = await world.aDeveloper();
    await attack(owner.email, anAddress);
    expect(await enter(owner, owner.email, owner.password)).toHaveProperty('developer');
    const elsewhere = from(anAddress());
    const { retryAfterS = 0 } = await failing(
      enter(elsewhere, owner.email, owner.password),
      'TOO_MANY_REQUESTS',
    );
    expect(retryAfterS).toBeGreaterThan(0);
    expect(retryAfterS).toBeLessThanOrEqual(900);
    world.pass(retryAfterS * 1000);
    expect(await enter(elsewhere, owner.email, owner.password)).toHaveProperty('developer');
  });

  it('are forgotten when the owner sets a new password by e-mail', async () => {
    const owner = await world.aDeveloper();
    await attack(owner.email, anAddress);
    const { client } = from(anAddress());
    await client.call(startPasswordReset, { body: { email: owner.email, orgId: 'default' } });
    const [mail] = await world.mailsTo(owner.email);
    const newPassword = 'a new one altogether';
    await client.call(resetPassword, { body: { token: mail?.token ?? '', newPassword } });
    expect(await enter(from(anAddress()), owner.email, newPassword)).toHaveProperty('developer');
  });

  it('are remembered after a restart on the same database', async () => {
    const { email, password } = await world.aDeveloper();
    await attack(email, anAddress);
    const { databaseUrl = '', dataDir } = world.platform.config;
    const settings = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, MASTER_KEY: masterKey };
    const again = await aWorld({ ...settings, TRUST_PROXY: '1' });
    try {
      again.pass(world.now().getTime() - again.now().getTime());
      await failing(enter(from(anAddress(), again), email, password), 'TOO_MANY_REQUESTS');
    } finally {
      await again.end();
    }
  });
});

it('ten right passwords at the same time from one address are all accepted', async () => {
  const owners = await Promise.all(Array.from({ length: 10 }, () => world.aDeveloper()));
  const address = anAddress();
  for (let i = 0; i < 5; i++) {
    const { reasons } = await atOnce(10, n =>
      enter(from(address), owners[n]?.email ?? '', owners[n]?.password ?? ''),
    );
    expect(reasons).toEqual([]);
  }
});

describe('a guess beyond the limit', () => {
  it('answers 429 and the seconds to wait, the same for an unknown and a known e-mail', async () => {
    const { email } = await world.aDeveloper();
    const answers = [];
    for (const tried of [email, `${unique('nobody')}@example.com`]) {
      for (let i = 0; i < 12; i++) {
        if (i >= 5) world.pass(waitMaxMs);
        await failing(enter(from(anAddress()), tried, 'wrong'), 'LOGIN_FAILED');
      }
      const { fetch } = from(anAddress());
      const body = { email: tried, password: 'wrong', orgId: 'default' };
      const refused = await rawCall(fetch, ['POST', `${world.url}/api/auth/password`], body);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(100);
      answers.push([refused.status, refused.text, [...refused.headers.keys()].toSorted()]);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.[0]).toBe(429);
  });

  it('from one address at many accounts is refused, but a neighbor in a known browser is not', async () => {
    const owner = await world.aDeveloper();
    const address = anAddress();
    await guessAnywhere(() => from(address));
    await failing(enter(from(address), owner.email, owner.password), 'TOO_MANY_REQUESTS');
    const { cookies } = owner;
    const known = from(address);
    for (const [name, value] of cookies) known.cookies.set(name, value);
    expect(await enter(known, owner.email, owner.password)).toHaveProperty('developer');
  });

  it('from one address delays the right password of another account by at most five seconds', async () => {
    const owner = await world.aDeveloper();
    const address = anAddress();
    await guessAnywhere(() => from(address));
    const error = await failing(enter(from(address), owner.email, owner.password), 'TOO_MANY_REQUESTS');
    expect(error.retryAfterS).toBeLessThanOrEqual(5);
    expect(error.message).toMatch(/^Too many attempts\. Try again in \d seconds?\.$/);
    world.pass(5000);
    expect(await enter(from(address), owner.email, owner.password)).toHaveProperty('developer');
  });

  it('at one account, again and again, leaves the others at its address their turn', async () => {
    const [stuck, owner] = [await world.aDeveloper(), await world.aDeveloper()];
    const address = anAddress();
    await guessAnywhere(() => from(address));
    const keepGuessing = () => atOnce(20, n => enter(from(address), stuck.email, `wrong ${n}`));
    for (let i = 0; i < 8; i++) {
      world.pass(5000);
      await keepGuessing();
    }
    world.pass(5000);
    await keepGuessing();
    expect(await enter(from(address), owner.email, owner.password)).toHaveProperty('developer');
  });

  it('from one IPv6 network counts as from one address', async () => {
    const { email, password } = await world.aDeveloper();
    let host = 0;
    await guessAnywhere(() => from(`2001:db8:77:1::${(++host).toString(16)}`));
    await failing(enter(from('2001:db8:77:1:ffff::9'), email, password), 'TOO_MANY_REQUESTS');
    expect(await enter(from('2001:db8:77:2::1'), email, password)).toHaveProperty('developer');
  });

  it('from a known browser is refused as well', async () => {
    const owner = await world.aDeveloper();
    for (let i = 0; i < 12; i++) {
      if (i >= 5) world.pass(waitMaxMs);
      await failing(enter(owner, owner.email, `wrong ${i}`), 'LOGIN_FAILED');
    }
    await failing(enter(owner, owner.email, owner.password), 'TOO_MANY_REQUESTS');
    world.pass(waitMaxMs);
    expect(await enter(owner, owner.email, owner.password)).toHaveProperty('developer');
  });
});
