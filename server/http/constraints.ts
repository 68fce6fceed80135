import { Problem, type Reason } from '#contract/problem.ts';

/** A broken database constraint is somebody's mistake with a name: each slice says which reason it stands for. */
export function constraintOf(error: unknown, constraints: Record<string, Reason>): Problem | undefined {
  const { constraint } = error as { constraint?: unknown };
  const reason = typeof constraint === 'string' ? constraints[constraint] : undefined;
  return reason && new Problem(reason);
}
