import { evaluator } from '#server/expressions/evaluator.ts';
import { type Acting, act, wouldAct } from '#server/moduleActions/act.ts';
import type { Platform } from '#server/platform.ts';
import type { Outcome, Running, Testing } from '#server/smartModules/moduleType.ts';
import { mustBeBoolean } from './chooseEvents.ts';
import { compile, figuresOf } from './compiled.ts';
import { givenFor } from './givenFor.ts';
import { mayAct } from './mayAct.ts';
import type { RuleConfig } from './ruleConfig.ts';

/** Acts for one event, or for an elapsed time. The condition was evaluated when the event was chosen. */
export async function runRule(run: Running<RuleConfig>, platform: Platform): Promise<Outcome> {
  const { module, event, device, state, dueAt, runId, causedBy, now, signal } = run;
  // When a test is repeated, it is only tested again.
  if (run.isTest) return testRule({ ...tried(run), act: false }, platform);
  if (!device || !event) return { isOk: false, isFinal: true, summary: 'The device no longer exists' };
  const [given] = await givenFor(
    platform.db,
    [{ module, event, device, state: state ?? {}, figures: figuresOf(module.config) }],
    now,
  );
  if (!given) throw new Error('There is nothing to act on.');
  if (dueAt) {
    const [result] = (
      await evaluator.evaluate([{ program: module.config.condition, given, of: module.projectId }])
    ).map(mustBeBoolean);
    if (result && 'error' in result) return { isOk: false, summary: result.error };
    if (!(result && 'value' in result && result.value))
      return { isOk: true, summary: 'Not done: by then the condition no longer held', actions: [] };
  }
  const { everyS, actions, signingSecret } = module.config;
  const may = await mayAct(platform.db, {
    ...{ projectId: module.projectId, moduleId: module.id, deviceId: device.id, runId, everyS },
    // Uses the times of the events, so that a rule behaves the same when it is late.
    ...{ key: compile(module.config).key, at: dueAt ?? new Date(event.ts) },
    eventId: dueAt ? undefined : event.id,
  });
  if (may === 'held') {
    const summary = `It acted for this device less than ${everyS} s earlier`;
    return { isOk: true, isHeld: true, summary };
  }
  const acting = { module, runId, device, event, causedBy, now, given, isOver: may === 'over', signal };
  return act(actions, { ...acting, signingSecret }, platform);
}

function tried({ runId, module, event, device, state = {}, causedBy, now }: Running<RuleConfig>) {
  return {
    ...{ runId, module, now },
    ...(event && device && { event: { module, event, device, state, causedBy } }),
  };
}

/** Evaluates the condition for an event and returns what the rule would do; with `act`, the rule does it. */
export async function testRule(
  { runId, module, event: chosen, act: isReal, now }: Testing<RuleConfig>,
  platform: Platform,
): Promise<Outcome> {
  if (!chosen) return { isOk: false, isFinal: true, summary: 'There is no event to test it with yet' };
  const { event, device, state, causedBy } = chosen;
  const seen = { module, event, device, state, figures: figuresOf(module.config) };
  const [given] = await givenFor(platform.db, [seen], now);
  if (!given) throw new Error('There is nothing to try it with.');
  const [result] = (
    await evaluator.evaluate([{ program: module.config.condition, given, of: module.projectId }])
  ).map(mustBeBoolean);
  if (result && 'error' in result) return { isOk: false, summary: result.error };
  const holds = result && 'value' in result && result.value === true;
  const said = holds ? 'The condition is true' : 'The condition is not true';
  const acting: Acting = {
    ...{ module, runId, device, event, causedBy, now, given },
    signingSecret: module.config.signingSecret,
  };
  if (!isReal) return { isOk: true, summary: said, actions: await wouldAct(module.config.actions, acting) };
  const outcome = await act(module.config.actions, acting, platform);
  return { ...outcome, summary: `${said}. ${outcome.summary}` };
}
