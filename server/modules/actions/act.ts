import type { Attempt, ModuleEvent } from '#contract/moduleRun.ts';
import { Problem } from '#contract/problem.ts';
import type { Db } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { Evaluated, Given } from '#server/modules/expressions/given.ts';
import { TemplateFault } from '#server/modules/expressions/textTemplates.ts';
import { evaluateFor } from '#server/modules/rests/evaluateFor.ts';
import type { EventDevice, OpenModule, Outcome } from '#server/modules/smartModules/moduleType.ts';
import type { Action } from './actions.ts';
import { raiseAlert, resolveAlerts } from './alertAction.ts';
import { callWebhook, WebhookRefused } from './callWebhook.ts';
import { command, desire, type Needs } from './deviceActions.ts';
import { endsWithCondition, expressionsOf, type Filled, fill, nameOf, wouldDo } from './fillActions.ts';
import { type Mailed, MailHeldBack, mailAction } from './mailAction.ts';
import { actKeyOf, doneBefore, rememberActs } from './rememberActs.ts';
import { isRefusal, withCauses } from './withCauses.ts';

/** The module, device and event that actions are carried out for. */
export interface Acting {
  module: OpenModule;
  runId: string;
  device: EventDevice;
  /** Absent if the schedule triggered it. */
  event?: ModuleEvent | undefined;
  /** The runs that led to the event, oldest first. */
  causedBy: readonly string[];
  now: Date;
  /** The input of the expressions in the actions. */
  given: Given;
  signingSecret?: string | undefined;
  signal?: AbortSignal | undefined;
  /** The rule has acted for the device a moment ago: only the alerts that end with its condition are raised. */
  isHeld?: boolean;
  /** Started by a person: not counted among what the module did. */
  isTest?: boolean;
}

/** The fields that carrying out a single action needs. */
export type OnDevice = Pick<Acting, 'module' | 'runId' | 'causedBy' | 'now'> & {
  device: Pick<EventDevice, 'id' | 'deviceClass'>;
};

type Done = NonNullable<Attempt['actions']>[number];

/**
 * Carries out actions for one device, in order. Each is recorded in the transaction that carries it out, so that a
 * repeated run repeats only the failed actions. A failed action does not prevent the next one.
 */
export async function act(actions: readonly Action[], acting: Acting, platform: Platform): Promise<Outcome> {
  const values = await valuesFor(actions, acting, platform);
  const done: (Done & { isFinal?: boolean })[] = [];
  for (const [number, action] of actions.entries()) {
    if (acting.isHeld && !endsWithCondition(action)) continue;
    const carry = () => carryOut(fill(action, values), number, acting, platform);
    done.push(await actOnce(action, number, acting, { platform, carry }));
  }
  return outcomeOf(done);
}

/** Resolves the alerts that the actions have raised for the device, because the condition no longer holds. */
export async function actOnEnd(
  actions: readonly Action[],
  acting: Acting,
  platform: Platform,
): Promise<Outcome> {
  const number = actions.findIndex(endsWithCondition);
  const action = actions[number];
  if (!action) return outcomeOf([]);
  const carry = () => resolveAlerts(number, acting, platform);
  return outcomeOf([await actOnce(action, number, acting, { platform, carry })]);
}

function outcomeOf(done: readonly (Done & { isFinal?: boolean })[]): Outcome {
  const failed = done.filter(({ isOk }) => !isOk);
  return {
    isOk: failed.length === 0,
    summary: summaryOf(done),
    actions: done.map(({ action, isOk, summary }) => ({ action, isOk, summary })),
    ...(failed.length > 0 && failed.every(({ isFinal }) => isFinal) && { isFinal: true }),
  };
}

/** Returns what the actions would do, without carrying them out. */
export async function wouldAct(
  actions: readonly Action[],
  acting: Acting,
  platform: Platform,
): Promise<Done[]> {
  const values = await valuesFor(actions, acting, platform);
  return actions.map(action => {
    try {
      return { action: nameOf(action), isOk: true, summary: wouldDo(fill(action, values)) };
    } catch (error) {
      return { action: nameOf(action), isOk: false, summary: reasonOf(error) };
    }
  });
}

type Values = (source: string) => Evaluated;

async function valuesFor(
  actions: readonly Action[],
  { given, module }: Acting,
  platform: Platform,
): Promise<Values> {
  const sources = [...new Set(actions.flatMap(expressionsOf))];
  const results = await evaluateFor(
    platform,
    sources.map(program => ({ program, given, of: module.projectId, module: module.id })),
  );
  const bySource = new Map(sources.map((source, at) => [source, results[at]]));
  return source => bySource.get(source) ?? { error: 'It was not evaluated.' };
}

async function actOnce(
  action: Action,
  number: number,
  acting: Acting,
  { platform, carry }: { platform: Platform; carry: () => Promise<string> },
): Promise<Done & { isFinal?: boolean }> {
  const { module, runId } = acting;
  try {
    const key = { projectId: module.projectId, runId, number };
    // Alerts are looked up in batches.
    const before = action.kind === 'alert' ? undefined : await doneBefore(platform.db, [key]);
    const summary = before?.get(actKeyOf(key)) ?? (await carry());
    return { action: nameOf(action), isOk: true, summary };
  } catch (error) {
    return { action: nameOf(action), isOk: false, summary: reasonOf(error), isFinal: isFinal(error) };
  }
}

/** A request to another server cannot be part of a transaction; it is recorded once it was answered. */
async function carryOut(filled: Filled, number: number, acting: Acting, platform: Platform): Promise<string> {
  if (filled.kind === 'alert') return raiseAlert(filled, number, acting, platform);
  if (filled.kind === 'webhook') {
    const summary = await callWebhook(filled, number, acting, platform);
    await remember(platform.db, acting, { number, kind: filled.kind, summary });
    return summary;
  }
  return withCauses(platform, acting, async (db, needs) => {
    const { summary, isNothing } = await inTransaction(db, filled, { ...acting, number }, needs);
    if (!isNothing) await remember(db, acting, { number, kind: filled.kind, summary });
    return summary;
  });
}

async function inTransaction(
  db: Db,
  filled: Exclude<Filled, { kind: 'webhook' | 'alert' }>,
  acting: Acting & { number: number },
  needs: Needs,
): Promise<Mailed> {
  switch (filled.kind) {
    case 'command':
      return { summary: await command(db, filled, acting, needs) };
    case 'desired':
      return { summary: await desire(db, filled, acting, needs) };
    case 'email':
      return mailAction(db, filled, acting, needs.platform);
  }
}

function remember(
  db: Db,
  { module, runId, now, isTest }: Acting,
  act: { number: number; kind: Action['kind']; summary: string },
): Promise<void> {
  const of = { projectId: module.projectId, moduleId: module.id, runId };
  return rememberActs(db, [{ ...act, ...of, at: now, isTest }]);
}

const isHopeless = (error: unknown): error is Error =>
  error instanceof TemplateFault || error instanceof MailHeldBack;

/** The same error would occur in the next attempt. */
const isFinal = (error: unknown) => isRefusal(error) || isHopeless(error);

/** Our own internal errors mean nothing to a developer. */
function reasonOf(error: unknown): string {
  const isTheirs = error instanceof Problem || error instanceof WebhookRefused || isHopeless(error);
  return isTheirs ? error.message : 'It could not be done';
}

function summaryOf(done: readonly Done[]): string {
  const [first] = done.filter(({ isOk }) => !isOk).concat(done.filter(({ isOk }) => isOk));
  if (!first) return 'Nothing to do';
  return done.length === 1 ? first.summary : `${first.summary}, and ${done.length - 1} more`;
}
