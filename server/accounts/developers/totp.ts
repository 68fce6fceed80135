import { Secret, TOTP } from 'otpauth';
import { Problem } from '#contract/problem.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

const stepS = 30;

/** A new secret, and the address that an authenticator reads from a QR code. */
export function newTotp(email: string): { auth2FSecret: string; auth2FUrl: string } {
  const secret = new Secret({ size: 20 });
  const auth2FUrl = new TOTP({ issuer: 'Mooring', label: email, secret, period: stepS }).toString();
  return { auth2FSecret: secret.base32, auth2FUrl };
}

/** Accepts a code once: its time step must be later than any accepted before. */
export async function acceptCode(call: Call, developerId: string, code: string): Promise<void> {
  const { db, platform, now } = call;
  const digits = sixDigits(code);
  const stored = await db.one<{ secret: Buffer | null }>(sql`
    select totp_secret as secret from developers where id = ${developerId}`);
  if (!stored?.secret) throw new Problem('AUTH2F_NOT_STARTED');
  const totp = new TOTP({ secret: Secret.fromBase32(platform.sealing.open(stored.secret)), period: stepS });
  const drift = totp.validate({ token: digits, timestamp: now.getTime(), window: 1 });
  const step = Math.floor(now.getTime() / 1000 / stepS) + (drift ?? 0);
  const accepted =
    drift !== null &&
    (await db.run(sql`
      update developers set totp_last_step = ${step} where id = ${developerId} and totp_last_step < ${step}`));
  if (!accepted) throw new Problem('INVALID_TOKEN', { fields: { code: 'INVALID_TOKEN' } });
}

/** Removes everything about two-factor authentication, as if it had never been on. */
export async function dropSecondFactor(db: Db, developerId: string): Promise<void> {
  await db.run(sql`
    update developers set totp_active = false, totp_secret = null, revision = revision + 1
    where id = ${developerId}`);
  await db.run(sql`delete from recovery_codes where developer_id = ${developerId}`);
}

/** Six digits; spaces are ignored. Only ASCII digits: other digits can look the same. */
function sixDigits(code: string): string {
  const digits = code.replace(/\s/g, '');
  if (digits.length > 6)
    throw new Problem('AUTH_CODE_EXCEED_LENGTH', { fields: { code: 'AUTH_CODE_EXCEED_LENGTH' } });
  if (!/^[0-9]{6}$/.test(digits)) throw new Problem('INVALID_TOKEN', { fields: { code: 'INVALID_TOKEN' } });
  return digits;
}
