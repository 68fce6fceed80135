import type { ModuleEvent } from '#contract/moduleRun.ts';
import type { Platform } from '#server/infra/platform.ts';
import { type Acting, act, actOnEnd, wouldAct } from '#server/modules/actions/act.ts';
import type { Given } from '#server/modules/expressions/given.ts';
import { evaluateFor } from '#server/modules/rests/evaluateFor.ts';
import type { OpenModule, Outcome, Running, Testing } from '#server/modules/smartModules/moduleType.ts';
import { mustBeBoolean } from './chooseEvents.ts';
import { actsLater, compile, figuresOf } from './compiled.ts';
import { givenFor } from './givenFor.ts';
import { mayAct } from './mayAct.ts';
import type { RuleConfig } from './ruleConfig.ts';
import { endHolding, fallsAmong } from './ruleStates.ts';

/**
 * Acts for one event, for which the condition was evaluated when the event was chosen, or for an elapsed time, for which
 * it is evaluated now.
 */
export async function runRule(run: Running<RuleConfig>, platform: Platform): Promise<Outcome> {
  const { module, event, device, state, dueAt, runId, causedBy, now, signal } = run;
  // When a test is repeated, it is only tested again.
  if (run.isTest) return testRule({ ...tried(run), act: false }, platform);
  if (!device || !event) return { isOk: false, isFinal: true, summary: 'The device no longer exists' };
  const { actions, signingSecret, everyS } = module.config;
  if (module.deviceClasses.length > 0 && !module.deviceClasses.includes(device.deviceClass))
    return held('Not done: the rule no longer receives events of this class');
  const figures = figuresOf(module.config);
  const seen = { module, event, device, state: state ?? {}, figures, at: dueAt && now };
  const [given] = await givenFor(platform.db, [seen], now);
  if (!given) throw new Error('There is nothing to act on.');
  const acting = { module, runId, device, event, causedBy, now, given, signal, signingSecret };
  if (dueAt) {
    const holds = await evaluateNow(acting, platform);
    if (typeof holds !== 'boolean') return { isOk: false, summary: holds.error };
    if (!holds) return notHeldSince(acting, platform);
  }
  if (run.isOlder && !dueAt && !(await isFall(acting, platform))) {
    const holds = await evaluateNow(acting, platform);
    if (typeof holds !== 'boolean') return { isOk: false, summary: holds.error };
    if (!holds) return held('Not done: the rule was changed, and its condition does not hold for this event');
  }
  const claim = {
    ...placeOf(acting),
    runId,
    everyS,
    eventId: event.id,
    isElapsed: dueAt !== undefined,
    // Uses the times of the events, so that a rule behaves the same when it is late.
    at: dueAt ?? new Date(event.ts),
    actsLater: actsLater(module.config),
  };
  const may = await mayAct(platform.db, claim);
  if (may === 'over') return actOnEnd(actions, acting, platform);
  if (may === 'act') return act(actions, acting, platform);
  const earlier = `It acted for this device less than ${everyS} s earlier`;
  if (may === 'held') return held(earlier);
  const raised = await act(actions, { ...acting, isHeld: true }, platform);
  const rest = `${earlier}, and acts then if the condition still holds`;
  if (raised.actions?.length === 0) return held(rest);
  return claim.actsLater ? { ...raised, summary: `${raised.summary}. ${rest}` } : raised;
}

const held = (summary: string): Outcome => ({ isOk: true, isHeld: true, summary });

type OnEvent = Acting & { event: ModuleEvent; module: OpenModule<RuleConfig> };

const placeOf = ({ module, device }: OnEvent) => ({
  projectId: module.projectId,
  moduleId: module.id,
  deviceId: device.id,
  key: compile(module.config).key,
});

/** Whether the event ended the condition that the rule had. */
async function isFall({ module, event }: OnEvent, { db }: Platform): Promise<boolean> {
  const falls = await fallsAmong(db, [
    { projectId: module.projectId, moduleId: module.id, eventId: event.id },
  ]);
  return falls.size > 0;
}

async function evaluateNow(
  { module, given }: OnEvent,
  platform: Platform,
): Promise<boolean | { error: string }> {
  const [result] = (await evaluateFor(platform, [conditionOf(module, given)])).map(mustBeBoolean);
  if (result && 'error' in result) return result;
  return result !== undefined && 'value' in result && result.value === true;
}

/** The condition ended without an event, for example because a mean fell: the rule starts over. */
async function notHeldSince(acting: OnEvent, platform: Platform): Promise<Outcome> {
  const summary = 'Not done: by then the condition no longer held';
  await endHolding(platform.db, { ...placeOf(acting), eventId: acting.event.id });
  const ended = await actOnEnd(acting.module.config.actions, acting, platform);
  return ended.isOk ? { ...ended, summary } : ended;
}

const conditionOf = ({ projectId, id, config }: Running<RuleConfig>['module'], given: Given) => ({
  program: config.condition,
  isCondition: true,
  given,
  of: projectId,
  module: id,
});

function tried({ runId, module, event, device, state = {}, causedBy, now }: Running<RuleConfig>) {
  return {
    runId,
    module,
    now,
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
  const [result] = (await evaluateFor(platform, [conditionOf(module, given)])).map(mustBeBoolean);
  if (result && 'error' in result) return { isOk: false, summary: result.error };
  const holds = result && 'value' in result && result.value === true;
  const said = holds ? 'The condition is true' : 'The condition is not true';
  const acting: Acting = {
    module,
    runId,
    device,
    event,
    causedBy,
    now,
    given,
    isTest: true,
    signingSecret: module.config.signingSecret,
  };
  if (!isReal)
    return { isOk: true, summary: said, actions: await wouldAct(module.config.actions, acting, platform) };
  const outcome = await act(module.config.actions, acting, platform);
  return { ...outcome, summary: `${said}. ${outcome.summary}` };
}
