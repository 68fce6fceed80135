import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { Problem } from '#contract/problem.ts';

// OWASP's first choice for Argon2id, which is the default algorithm of the package.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Normalizes a password, so that the same text typed on another keyboard gives the same bytes. Never trimmed or cut.
 */
function normal(password: string): string {
  return password.normalize('NFKC');
}

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(normal(password), cost));
}

/** Takes the same time when there is no hash to compare with: an unknown account must not answer sooner. */
export async function verifyPassword(
  password: string,
  passwordHash: string | null | undefined,
): Promise<boolean> {
  const matches = await inTurn(async () => verify(passwordHash ?? (await noPassword()), normal(password)));
  return matches && typeof passwordHash === 'string';
}

let noPasswordHash: Promise<string> | undefined;
function noPassword(): Promise<string> {
  noPasswordHash ??= hash('the password of nobody', cost);
  return noPasswordHash;
}

/** Refuses common passwords. */
export async function checkNewPassword(password: string, field: string): Promise<void> {
  const common = await commonPasswords();
  if (common.has(normal(password).toLowerCase()))
    throw new Problem('WEAK_PASSWORD', { fields: { [field]: 'WEAK_PASSWORD' } });
}

let common: Promise<Set<string>> | undefined;
/** Loaded when first needed: most processes never set a password. */
function commonPasswords(): Promise<Set<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].map(String)),
  );
  return common;
}

// One for each core: more would only take memory, 19 MiB each. Other calls run on their own thread, which the system
// schedules in between.
const atOnceMax = availableParallelism();
let running = 0;
const queue: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnceMax) await new Promise<void>(resolve => queue.push(resolve));
  else running++;
  try {
    return await work();
  } finally {
    const next = queue.shift();
    if (next) next();
    else running--;
  }
}
