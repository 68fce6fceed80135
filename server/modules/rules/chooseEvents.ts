import type { Db } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { evaluator } from '#server/modules/evaluator/evaluator.ts';
import type { Answered, Evaluated, Given } from '#server/modules/expressions/given.ts';
import { evaluateFor, evaluatePromptly } from '#server/modules/rests/evaluateFor.ts';
import type { Choice, Choosing, Chosen } from '#server/modules/smartModules/moduleType.ts';
import { compile } from './compiled.ts';
import { givenFor } from './givenFor.ts';
import type { RuleConfig } from './ruleConfig.ts';
import { addFalls, placeOf, type RuleState, saveStates, statesOf } from './ruleStates.ts';
import { type Told, track } from './track.ts';

type Event = Chosen<RuleConfig>;

/**
 * Decides for which events rules act. The states of rules are stored in the same transaction as the runs, so that no
 * rule acts twice or never if the process ends in between; the conditions are evaluated before it begins.
 */
export async function chooseEvents(
  events: readonly Event[],
  platform: Platform,
  { isPrompt }: { isPrompt: boolean },
): Promise<Choosing<RuleConfig>> {
  const answers = await evaluated(events, platform, isPrompt);
  const late = new Set<string>();
  for (const [{ module }, answer] of answers) if ('late' in answer) late.add(module.projectId);
  return { late, decide: (db, some) => decide(db, some, event => resultOf(answers.get(event))) };
}

function resultOf(answer: Answered = notEvaluated): Evaluated {
  return 'late' in answer ? notEvaluated : mustBeBoolean(answer);
}

const notEvaluated = { error: 'It was not evaluated.' };

async function decide(
  db: Db,
  events: readonly Event[],
  resultOf: (event: Event) => Evaluated,
): Promise<Choice[]> {
  const remembered = events.filter(({ module }) => compile(module.config).remembers);
  const states = remembered.length === 0 ? new Map() : await statesOf(db, placesOf(remembered));
  const changed = new Map<string, RuleState>();
  const falls: Parameters<typeof addFalls>[1][number][] = [];
  const choices = events.map((event): Choice => {
    const result = resultOf(event);
    const rule = compile(event.module.config);
    if ('error' in result) return { error: result.error };
    if (!rule.remembers) return { hit: 'value' in result && result.value === true };
    const told = factsFor(event, result);
    const before = states.get(placeOf(told));
    const { state, verdict } = track(before, told, rule, event.module.config.forS);
    if (state && state !== before) {
      states.set(placeOf(told), state);
      changed.set(placeOf(told), state);
    }
    if (verdict === 'over') falls.push(told);
    // Resolving an alert causes no event.
    return { hit: verdict !== 'nothing', causesNothing: verdict === 'over' };
  });
  await saveStates(db, [...changed.values()]);
  await addFalls(db, falls);
  return choices;
}

/** Evaluates the conditions in one batch, except those that cannot hold. */
async function evaluated(
  events: readonly Event[],
  platform: Platform,
  isPrompt: boolean,
): Promise<Map<Event, Answered>> {
  const open = events.filter(one => !compile(one.module.config).cannotHold(seenOf(one)));
  const seen = open.map(event => ({ ...event, figures: compile(event.module.config).used.figures }));
  const given = await givenFor(platform.db, seen, platform.clock());
  const jobs = open.map(({ module: { projectId, id, config } }, at) => ({
    program: config.condition,
    isCondition: true,
    given: given[at] ?? nothingGiven,
    of: projectId,
    module: id,
  }));
  const answers: readonly Answered[] = isPrompt
    ? await evaluatePromptly(platform, jobs)
    : await evaluateFor(platform, jobs, { using: evaluator.late });
  const all = new Map<Event, Answered>(events.map(event => [event, { value: false }]));
  for (const [at, event] of open.entries()) all.set(event, answers[at] ?? notEvaluated);
  return all;
}

const nothingGiven: Given = { state: {}, data: {}, figures: {} };

const seenOf = ({ event, state, device }: Event) => ({
  event,
  state,
  device: { id: device.id, tag: device.tag, name: device.name, class: device.deviceClass },
});

export function mustBeBoolean(result: Evaluated): Evaluated {
  if (!('value' in result) || typeof result.value === 'boolean') return result;
  return { error: 'The condition is neither true nor false for this event.' };
}

function factsFor({ module, event, device, causedBy }: Event, result: Evaluated): Told {
  return {
    projectId: module.projectId,
    moduleId: module.id,
    deviceId: device.id,
    eventId: event.id,
    eventName: event.name,
    at: new Date(event.ts),
    causedBy,
    result,
  };
}

function placesOf(events: readonly Event[]) {
  const places = events.map(({ module, device }) => ({
    projectId: module.projectId,
    moduleId: module.id,
    deviceId: device.id,
  }));
  return [...new Map(places.map(place => [placeOf(place), place])).values()];
}
