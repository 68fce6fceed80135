import { Problem } from '#contract/problem.ts';
import { minuteS } from '#rules/time/durations.ts';
import { waitWords } from '#rules/waitWords.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import { networkOf } from '#server/infra/pace/networkOf.ts';
import type { Platform } from '#server/infra/platform.ts';

/**
 * How many guesses are free before each further one doubles the wait, and how long after the last one all are
 * forgotten.
 */
const bounds = {
  account: { free: 5, forgetAfter: '24 hours', waitMaxS: 900 },
  // Short, because an address may be a whole office: one person's guesses must not lock out the others.
  address: { free: 20, forgetAfter: '1 hour', waitMaxS: 5 },
  /** For those who were told to wait at an address, and came back. */
  turns: { free: 0, forgetAfter: '1 hour', waitMaxS: 2 },
};

type Bounds = (typeof bounds)[keyof typeof bounds];

/**
 * A guess that was allowed. `succeed` forgets all guesses at the account. `takeBack` undoes only this one, for cases
 * where someone could use repeated successes to go on guessing.
 */
export interface Guess {
  succeed(db: Db): Promise<void>;
  takeBack(db: Db): Promise<void>;
}

interface Guessing {
  /** What is guessed, whether it exists or not. */
  account: string;
  /** What the owner of the account is known by, such as a browser; undefined for everybody else. */
  known?: string | undefined;
  /** Where guesses of this kind come from: all guesses of a kind from one network count together. */
  from: { kind: 'developers' | 'users' | 'codes' | 'claims'; address: string } | undefined;
  now: Date;
}

/**
 * Counts a guess before it is checked, so that a hundred concurrent guesses count as a hundred. Counts are stored in
 * the database and survive a restart, but not a power cut, because no sign-in waits for the disk for them. A known
 * browser or device has its own count and no address, so that guesses by strangers or neighbors do not lock the owner
 * out.
 */
export async function countGuess(
  platform: Platform,
  { account: name, known, from, now }: Guessing,
): Promise<Guess> {
  const account = known === undefined ? name : `${name} ${known}`;
  const accountKey = platform.sealing.mac(`guess account ${account}`);
  const place = known === undefined && from ? `${from.kind} ${networkOf(from.address)}` : undefined;
  let addressKey: Buffer | undefined;
  if (place !== undefined) {
    // A program that keeps guessing at one account must not take the turns of the other people at its address.
    const waitMs = await waitAt(platform.db, accountKey, now);
    if (waitMs > 0) throw tooMany(waitMs);
    addressKey = await takeTurn(platform, { place, account, now });
  }
  await count(platform.db, accountKey, bounds.account, now);
  const takeBack = async (db: Db, ...keys: (Buffer | undefined)[]) => {
    const counted = keys.filter(key => key !== undefined);
    if (counted.length === 0) return;
    await db.run(sql`
      update login_failures set failures = greatest(0, failures - 1) where key = any(${counted})`);
  };
  return {
    async succeed(db) {
      await db.run(sql`delete from login_failures where key = ${accountKey}`);
      await takeBack(db, addressKey);
    },
    takeBack: db => takeBack(db, accountKey, addressKey),
  };
}

/**
 * Counts a guess at its address. Beyond the limit, whoever was told to wait and comes back with the same account does
 * not compete with those who come for the first time: otherwise, a program that tries account after account would take
 * every turn at its address. Returns the key of what was counted.
 */
async function takeTurn(
  { db, sealing, promisedTurns }: Platform,
  { place, account, now }: { place: string; account: string; now: Date },
): Promise<Buffer> {
  const addressKey = sealing.mac(`guess address ${place}`);
  if (await isCounted(db, addressKey, bounds.address, now)) return addressKey;
  const who = `${place} ${account}`;
  if (promisedTurns.isDue(who, now.getTime())) {
    const turnsKey = sealing.mac(`guess turns ${place}`);
    if (await isCounted(db, turnsKey, bounds.turns, now)) {
      promisedTurns.put(who);
      return turnsKey;
    }
    throw tooMany(await waitAt(db, turnsKey, now));
  }
  throw tooMany(promisedTurns.promise(who, now.getTime(), await waitAt(db, addressKey, now)));
}

async function count(db: Db, key: Buffer, within: Bounds, now: Date): Promise<void> {
  if (!(await isCounted(db, key, within, now))) throw tooMany(await waitAt(db, key, now));
}

/** A free guess never blocks another one, not even one that came a moment earlier and is counted a moment later. */
async function isCounted(
  db: Db,
  key: Buffer,
  { free, forgetAfter, waitMaxS }: Bounds,
  now: Date,
): Promise<boolean> {
  const counted = await db.run(sql`
    insert into login_failures as f (key, failures, blocked_until, last_at) values (${key}, 1, '-infinity', ${now})
    on conflict (key) do update set
      failures = case when f.last_at < ${now}::timestamptz - ${forgetAfter}::interval then 1 else f.failures + 1 end,
      blocked_until = case
        when f.last_at < ${now}::timestamptz - ${forgetAfter}::interval or f.failures + 1 < ${free} then '-infinity'
        else ${now}::timestamptz
          + least(${waitMaxS}, power(2, least(20, f.failures + 1 - ${free}))) * interval '1 second' end,
      last_at = ${now}
    where not (${isBlocked(now)})`);
  return counted > 0;
}

/**
 * What would block for longer than any wait was counted while the clock was ahead, and blocks nobody. A minute more,
 * because the clocks of two processes can differ.
 */
const blockedMaxS = Math.max(...Object.values(bounds).map(({ waitMaxS }) => waitMaxS)) + minuteS;

const isBlocked = (now: Date) =>
  sql`f.blocked_until > ${now} and f.blocked_until <= ${now}::timestamptz + make_interval(secs => ${blockedMaxS})`;

/** The time until the next guess is allowed, in milliseconds; none if it is allowed now. */
async function waitAt(db: Db, key: Buffer, now: Date): Promise<number> {
  const waiting = await db.one<{ until: Date }>(sql`
    select blocked_until as until from login_failures f where key = ${key} and ${isBlocked(now)}`);
  return waiting ? waiting.until.getTime() - now.getTime() : 0;
}

function tooMany(waitMs: number): Problem {
  const retryAfterS = Math.max(1, Math.ceil(waitMs / 1000));
  const message = `Too many attempts. Try again in ${waitWords(retryAfterS)}.`;
  return new Problem('TOO_MANY_REQUESTS', { message, retryAfterS });
}

/** When the owner sets a new password, nobody has to wait any longer: the guesses were at the old one. */
export function forgiveAccount(db: Db, platform: Platform, account: string): Promise<number> {
  return db.run(
    sql`delete from login_failures where key = ${platform.sealing.mac(`guess account ${account}`)}`,
  );
}

interface Mailbox {
  /** An organization or a project: each has its own counts. */
  of: string;
  purpose: string;
  email: string;
  now: Date;
}

/**
 * Counts an e-mail to an address that the caller names. After a few, each one doubles the wait for all callers, so that
 * a mailbox cannot be flooded. Unknown addresses count as well, so that a refusal reveals nothing about accounts.
 */
export async function countMail(platform: Platform, { of, purpose, email, now }: Mailbox): Promise<void> {
  await countGuess(platform, { account: `mail ${purpose} ${of} ${email}`, from: undefined, now });
}

/** The same for calls whose answer does not show whether an e-mail is sent. */
export async function mayMail(platform: Platform, mailbox: Mailbox): Promise<boolean> {
  try {
    await countMail(platform, mailbox);
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}
