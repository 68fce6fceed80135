import type { Rollout, RolloutGate } from '#contract/rollout.ts';
import type { RolloutReport } from '#contract/rolloutReport.ts';
import { gateResultsMin } from '#rules/firmware/gateLimits.ts';

/** How the gates of a rollout stand, in short. A gate without enough data has not held anything yet. */
export function gatesNote({ gates }: Pick<Rollout, 'gates'>, report: RolloutReport): string {
  if (gates.length === 0) return 'all off';
  const standing = gates.map(gate => holds(gate, report));
  const count = (is: boolean | undefined) => standing.filter(one => one === is).length;
  const [closed, holding, unknown] = [count(false), count(true), count(undefined)];
  if (closed > 0) return closed === 1 ? '1 has closed' : `${closed} have closed`;
  if (unknown === 0) return 'all hold';
  if (holding === 0) return 'not enough data yet';
  return `${holding} ${holding === 1 ? 'holds' : 'hold'}, ${unknown} without enough data`;
}

/** Undefined: not enough data yet. */
function holds(gate: RolloutGate, report: RolloutReport): boolean | undefined {
  if (gate !== 'failures') return report[gate]?.isOpen;
  const { results, lower, threshold } = report.failures;
  return results < gateResultsMin ? undefined : lower <= threshold;
}
