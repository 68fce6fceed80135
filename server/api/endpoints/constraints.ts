import { Problem, type Reason } from '#contract/problem.ts';

/** Maps a database constraint to a reason and, if a single field of the body violated it, that field. */
export type Constraints = Readonly<Record<string, Reason | readonly [reason: Reason, field: string]>>;

/** Translates constraint violations to reasons; each slice declares its own. */
export function constraintOf(error: unknown, constraints: Constraints): Problem | undefined {
  const { constraint } = error as { constraint?: unknown };
  const stands = typeof constraint === 'string' ? constraints[constraint] : undefined;
  if (stands === undefined || typeof stands === 'string') return stands && new Problem(stands);
  const [reason, field] = stands;
  return new Problem(reason, { fields: { [field]: reason } });
}
