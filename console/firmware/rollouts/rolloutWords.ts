import type { Tone } from '#console/ui/state/StatePill.tsx';
import { hourText, momentText } from '#console/ui/time/dateTexts.ts';
import type { Rollout, RolloutCounts, RolloutGate, RolloutRow, RolloutState } from '#contract/rollout.ts';
import { numberText } from '#rules/text/numberText.ts';

const rolloutStateWords: Record<RolloutState, { tone: Tone; word: string }> = {
  draft: { tone: 'never', word: 'Draft' },
  running: { tone: 'busy', word: 'Running' },
  paused: { tone: 'warn', word: 'Paused' },
  finished: { tone: 'ok', word: 'Finished' },
  stopped: { tone: 'danger', word: 'Stopped' },
  superseded: { tone: 'off', word: 'Superseded' },
};

type Standing = Pick<RolloutRow, 'state' | 'pausedBy' | 'pauser' | 'waitsFrom'>;

/** The current step is over, and the next one waits until somebody starts it. */
export const waitsForYou = ({ waitsFrom }: Pick<Standing, 'waitsFrom'>, now: number): boolean =>
  waitsFrom !== undefined && Date.parse(waitsFrom) <= now;

/** The state of a rollout, with who or what holds it. */
export function standingWords(rollout: Standing, now: number): { tone: Tone; word: string } {
  const { state, pausedBy, pauser } = rollout;
  if (state === 'running' && waitsForYou(rollout, now)) return { tone: 'busy', word: 'Waits for you' };
  if (state !== 'paused') return rolloutStateWords[state];
  const by = pausedBy && pausedBy !== 'person' ? 'a gate' : (pauser?.name ?? 'a person');
  return { tone: 'warn', word: `Paused by ${by}` };
}

export const gateWords: Record<RolloutGate, { label: string; says: string }> = {
  failures: { label: 'Failures', says: 'more fail than the threshold, beyond chance' },
  presence: { label: 'Presence', says: 'updated devices are disconnected more often' },
  reboots: { label: 'Reboots', says: 'they reconnect more often' },
  stalled: { label: 'Stalled', says: 'over 20 % make no progress for 1 h' },
};

/** "1.7 %", "25 %" */
export function percentText(percent: number): string {
  const rounded =
    percent !== 0 && Math.abs(percent) < 10 ? Math.round(percent * 10) / 10 : Math.round(percent);
  return `${numberText(rounded)} %`;
}

/** The share of a step: "25 %", or the devices chosen by hand. */
export function stepText(percent: number): string {
  return percent === 0 ? 'Chosen' : `${numberText(percent)} %`;
}

/** "winter-24 → winter-25" */
export function changeText({ bundle, fromBundle }: Pick<Rollout, 'bundle' | 'fromBundle'>): string {
  return fromBundle ? `${fromBundle.name} → ${bundle.name}` : bundle.name;
}

/** Devices whose installation has begun, which cannot be undone. */
export const installingOf = ({ installing, rebooting }: RolloutCounts) => installing + rebooting;

/** Devices that go back to what they ran before if the rollout is paused. */
export const notBegunOf = (counts: RolloutCounts) => counts.active + counts.waiting - installingOf(counts);

/** The share of reached devices that have a result; devices that have disconnected do not count as reached. */
export function settledShare({ admitted, waiting, active, left }: RolloutCounts): number | undefined {
  const reached = admitted - waiting - left;
  return reached > 0 ? ((reached - active) / reached) * 100 : undefined;
}

/** "18 Nov, 09:00 – 11:12" */
export function spanText(from: string, to: string): string {
  const isSameDay = new Date(from).toDateString() === new Date(to).toDateString();
  return `${momentText(from)} – ${isSameDay ? hourText(to) : momentText(to)}`;
}
