import { evaluator } from '#server/expressions/evaluator.ts';
import { type Acting, act, wouldAct } from '#server/moduleActions/act.ts';
import type { Platform } from '#server/platform.ts';
import type { Outcome, Running, Testing } from '#server/smartModules/moduleType.ts';
import { mustBeBoolean } from './chooseEvents.ts';
import { compile, figuresOf } from './compiled.ts';
import { givenFor } from './givenFor.ts';
import type { RuleConfig } from './ruleConfig.ts';
import { claimActing, isFall } from './ruleStates.ts';

/** Acts for one event, or for what has elapsed. What the condition said was decided when the event was chosen. */
export async function runRule(run: Running<RuleConfig>, platform: Platform): Promise<Outcome> {
  const { module, event, device, state, dueAt, runId, causedBy, now, signal } = run;
  if (!device || !event) return { isOk: false, isFinal: true, summary: 'The device does not exist any more' };
  const [given] = await givenFor(
    platform.db,
    [{ module, event, device, state: state ?? {}, figures: figuresOf(module.config) }],
    now,
  );
  if (!given) throw new Error('There is nothing to act on.');
  const isOver = !dueAt && (await isFall(platform.db, module.projectId, module.id, event.id));
  if (dueAt) {
    const [result] = (await evaluator.evaluate([{ program: module.config.condition, given }])).map(
      mustBeBoolean,
    );
    if (result && 'error' in result) return { isOk: false, summary: result.error };
    if (!(result && 'value' in result && result.value))
      return { isOk: true, summary: 'Not done: by then the condition no longer held', actions: [] };
  }
  const acting: Acting = {
    ...{ module, runId, device, event, causedBy, now, given, isOver, signal },
    signingSecret: module.config.signingSecret,
  };
  const { everyS, actions } = module.config;
  if (!isOver && !(await mayAct(run, platform))) {
    const summary = `Held back: it acted for this device less than ${everyS} s before`;
    return { isOk: true, isHeld: true, summary };
  }
  return act(actions, acting, platform);
}

/** By the times of the events, so that a rule does the same when it is late; a test by a person is never held back. */
function mayAct({ module, event, device, dueAt, runId, isTest }: Running<RuleConfig>, { db }: Platform) {
  const { projectId, id: moduleId, config } = module;
  if (isTest || !event || !device) return true;
  const at = dueAt ?? new Date(event.ts);
  return claimActing(
    db,
    { projectId, moduleId, deviceId: device.id },
    { key: compile(config).key, runId, at, everyS: config.everyS },
  );
}

/** Evaluates the condition for an event and says what the rule would do; with `act`, it does it. */
export async function testRule(
  { module, event: chosen, act: isReal, now }: Testing<RuleConfig>,
  platform: Platform,
): Promise<Outcome> {
  if (!chosen) return { isOk: false, isFinal: true, summary: 'There is no event yet to try it with' };
  const { event, device, state, causedBy } = chosen;
  const seen = { module, event, device, state, figures: figuresOf(module.config) };
  const [given] = await givenFor(platform.db, [seen], now);
  if (!given) throw new Error('There is nothing to try it with.');
  const [result] = (await evaluator.evaluate([{ program: module.config.condition, given }])).map(
    mustBeBoolean,
  );
  if (result && 'error' in result) return { isOk: false, summary: result.error };
  const holds = result && 'value' in result && result.value === true;
  const said = holds ? 'The condition is true' : 'The condition is not true';
  const acting: Acting = {
    ...{ module, runId: platform.newId('run'), device, event, causedBy, now, given },
    signingSecret: module.config.signingSecret,
  };
  if (!isReal) return { isOk: true, summary: said, actions: await wouldAct(module.config.actions, acting) };
  const outcome = await act(module.config.actions, acting, platform);
  return { ...outcome, summary: `${said}. ${outcome.summary}` };
}
