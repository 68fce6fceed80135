import type { Rollout, RolloutGate } from '#contract/rollout.ts';
import type { RolloutReport } from '#contract/rolloutReport.ts';
import { gateResultsMin } from '#rules/firmware/gateLimits.ts';

/** How the gates of a rollout stand, in short. A gate without enough data has not passed anything yet. */
export function gatesNote({ gates }: Pick<Rollout, 'gates'>, report: RolloutReport): string {
  if (gates.length === 0) return 'All off';
  const standing = gates.map(gate => passes(gate, report));
  const count = (is: boolean | undefined) => standing.filter(one => one === is).length;
  const [closed, passing, unknown] = [count(false), count(true), count(undefined)];
  if (closed > 0) return `${closed} closed`;
  if (unknown === 0) return 'All gates passing';
  if (passing === 0) return 'Too early to tell';
  return `${passing} passing, ${unknown} too early to tell`;
}

/** Undefined: not enough data yet. */
function passes(gate: RolloutGate, report: RolloutReport): boolean | undefined {
  if (gate !== 'failures') return report[gate]?.isOpen;
  const { results, lower, threshold } = report.failures;
  return results < gateResultsMin ? undefined : lower <= threshold;
}
