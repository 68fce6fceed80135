import { randomInt } from 'node:crypto';
import { Problem } from '#contract/problem.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { hashToken } from '#server/api/sessions/session.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';

const count = 10;
/** Without letters that are easily misread. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Each works once. */
export async function acceptRecoveryCode(
  { db, now }: Call,
  developerId: string,
  code: string,
): Promise<void> {
  const used = await db.run(sql`
    update recovery_codes set used_at = ${now}
    where developer_id = ${developerId} and hash = ${hashRecoveryCode(code)} and used_at is null`);
  if (!used) throw new Problem('INVALID_TOKEN', { fields: { recoveryCode: 'INVALID_TOKEN' } });
}

/** 50 random bits and a bound on guesses: a plain hash is enough. */
function hashRecoveryCode(code: string): Buffer {
  return hashToken(code.toLowerCase().replace(/[^a-z0-9]/g, ''));
}

/** Creates ten new codes; earlier ones stop working. */
export async function makeRecoveryCodes(db: Db, developerId: string): Promise<string[]> {
  const codes = Array.from({ length: count }, newCode);
  await db.run(sql`delete from recovery_codes where developer_id = ${developerId}`);
  for (const code of codes) {
    await db.run(
      sql`insert into recovery_codes (developer_id, hash) values (${developerId}, ${hashRecoveryCode(code)})`,
    );
  }
  return codes;
}

function newCode(): string {
  const letters = Array.from({ length: 10 }, () => alphabet.charAt(randomInt(alphabet.length)));
  return `${letters.slice(0, 5).join('')}-${letters.slice(5).join('')}`;
}
