import { Problem, type Reason } from '#contract/problem.ts';

/** Database constraint to the reason it stands for, and where one field of the body broke it, that field. */
export type Constraints = Readonly<Record<string, Reason | readonly [reason: Reason, field: string]>>;

/** A broken database constraint is somebody's mistake with a name: each slice says which reason it stands for. */
export function constraintOf(error: unknown, constraints: Constraints): Problem | undefined {
  const { constraint } = error as { constraint?: unknown };
  const stands = typeof constraint === 'string' ? constraints[constraint] : undefined;
  if (stands === undefined || typeof stands === 'string') return stands && new Problem(stands);
  const [reason, field] = stands;
  return new Problem(reason, { fields: { [field]: reason } });
}
