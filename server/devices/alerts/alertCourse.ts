import type { AlertSeverity, AlertState } from '#contract/alert.ts';

/** A report of a batch, reduced to what it does to the alert. */
export type AlertStep = { at: Date } & (
  | { resolved: false; severity: AlertSeverity }
  | { resolved: true; note: string }
);

/** The last change of state that reports caused. */
export type StateChange = { at: Date; note: string; what: 'resolved' | 'reopened' };

const rank = { info: 0, warning: 1, critical: 2 };

/**
 * What a batch of reports does to an alert, one after the other: the same as if each were stored alone. A report reopens
 * an alert that was resolved, and one that was acknowledged when it was less severe. Returns the last change of state,
 * if there is any; `was` is undefined for an alert that begins with the batch.
 */
export function lastChangeOf(
  was: { state: AlertState; severity: AlertSeverity } | undefined,
  steps: readonly AlertStep[],
): StateChange | undefined {
  let { state, severity } = was ?? { state: undefined, severity: undefined };
  let last: StateChange | undefined;
  const change = (what: StateChange['what'], { at }: AlertStep, note = '') => {
    last = { what, at, note };
  };
  for (const step of steps) {
    if (step.resolved) {
      if (state === undefined || state === 'resolved') continue;
      state = 'resolved';
      change('resolved', step, step.note);
      continue;
    }
    const isWorse = severity !== undefined && rank[step.severity] > rank[severity];
    if (state === 'resolved' || (state === 'acknowledged' && isWorse)) change('reopened', step);
    if (state === undefined || state === 'resolved' || isWorse) state = 'open';
    severity = step.severity;
  }
  return last;
}
