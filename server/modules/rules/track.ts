import type { Evaluated } from '#server/modules/expressions/given.ts';
import type { Compiled } from './compiled.ts';
import type { RuleState } from './ruleStates.ts';

/** An event with the result of the condition. */
export interface Told {
  projectId: string;
  moduleId: string;
  deviceId: string;
  eventId: string;
  eventName: string;
  at: Date;
  causedBy: readonly string[];
  result: Evaluated;
}

/** `act`: the rule acts now. `over`: the condition ended after the rule had acted, so its alerts are resolved. */
export type Verdict = 'act' | 'over' | 'nothing';

/**
 * Decides what an event means, given the state of the rule for the device. Used both for live events and for a replay.
 */
export function track(
  before: RuleState | undefined,
  told: Told,
  { key, isEach, resolves }: Pick<Compiled, 'key' | 'isEach' | 'resolves'>,
  forS: number,
): { state: RuleState | undefined; verdict: Verdict } {
  const was = before?.key === key ? before : undefined;
  const holds = 'value' in told.result && told.result.value === true;
  if (!holds) {
    if (!was?.holds) return { state: was, verdict: 'nothing' };
    const state = { ...was, holds: false, since: null, dueAt: null, acted: false };
    return { state, verdict: was.acted && resolves ? 'over' : 'nothing' };
  }
  if (was?.holds) return { state: was, verdict: isEach && was.acted ? 'act' : 'nothing' };
  const { projectId, moduleId, deviceId, eventId, eventName, at, causedBy } = told;
  const waits = forS > 0;
  const state: RuleState = {
    projectId,
    moduleId,
    deviceId,
    key,
    holds: true,
    since: at,
    acted: !waits,
    eventId,
    eventName,
    causedBy,
    dueAt: waits ? new Date(at.getTime() + forS * 1000) : null,
  };
  return { state, verdict: waits ? 'nothing' : 'act' };
}
