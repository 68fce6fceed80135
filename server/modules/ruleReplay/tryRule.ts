import type { StoredEvent } from '#server/modules/events/eventSources.ts';
import type { Evaluated, Given, Job } from '#server/modules/expressions/given.ts';
import { mustBeBoolean } from '#server/modules/rules/chooseEvents.ts';
import { actsLater, compile } from '#server/modules/rules/compiled.ts';
import type { RuleConfig } from '#server/modules/rules/ruleConfig.ts';
import type { RuleState } from '#server/modules/rules/ruleStates.ts';
import { track } from '#server/modules/rules/track.ts';
import type { PastDevice } from './pastDevice.ts';
import type { ReplayedRule } from './replayInput.ts';

export interface Hit {
  /** The same key for both versions of a rule. */
  key: string;
  at: Date;
  event: Pick<StoredEvent, 'id' | 'name'>;
  given: Given;
  isHeld: boolean;
}

export interface Trying {
  evaluate: (job: Job) => Evaluated;
  data: Given['data'];
  projectId: string;
  moduleId: string;
  onError: (error: string) => void;
}

/** Whether a condition can be judged at any time: it is about values of the device, not about an event. */
export function isAboutDevice(config: RuleConfig): boolean {
  const { names } = compile(config).used;
  return !names.has('event') && (names.has('state') || names.has('device'));
}

/** One version of a rule, applied to the past of one device. */
export class RuleTrial {
  readonly #rule: ReplayedRule;
  readonly #trying: Trying;
  readonly #names: ReadonlySet<string>;
  readonly #isForClass: boolean;
  #state: RuleState | undefined;
  #actedMs = Number.NEGATIVE_INFINITY;

  constructor(rule: ReplayedRule, past: PastDevice, trying: Trying) {
    this.#rule = rule;
    this.#trying = trying;
    this.#names = new Set(rule.subscribedEvents.map(name => name.toLowerCase()));
    this.#isForClass =
      rule.deviceClasses.length === 0 || rule.deviceClasses.includes(past.device.deviceClass);
  }

  /** The hit of the next event, if any; call `dueBefore` with its time first. */
  next(event: StoredEvent, past: PastDevice): Hit | undefined {
    if (!this.#isForClass) return undefined;
    if (!this.#names.has('*') && !this.#names.has(event.name.toLowerCase())) return undefined;
    const { config } = this.#rule;
    const rule = compile(config);
    const given = this.#givenAt(event, past);
    const result = mustBeBoolean(this.#trying.evaluate({ program: config.condition, given }));
    if ('error' in result) {
      this.#trying.onError(result.error);
      return undefined;
    }
    if (!rule.remembers)
      return 'value' in result && result.value ? this.#hit(event, event.ts, given) : undefined;
    const told = {
      projectId: this.#trying.projectId,
      moduleId: this.#trying.moduleId,
      deviceId: event.deviceId,
      eventId: event.id,
      eventName: event.name,
      at: event.ts,
      causedBy: [],
      result,
    };
    const { state, verdict } = track(this.#state, told, rule, config.forS);
    this.#state = state;
    return verdict === 'act' ? this.#hit(event, event.ts, given) : undefined;
  }

  /** The hit of a condition that has held for long enough by a time, if any. */
  dueBefore(at: Date, past: PastDevice): Hit | undefined {
    const state = this.#state;
    if (!state?.dueAt || state.dueAt > at || !state.since) return undefined;
    const event = { id: state.eventId ?? '', name: state.eventName ?? '', ts: state.since };
    const given = this.#givenAt({ ...event, payload: {}, deviceId: past.device.id }, past, state.dueAt);
    const { condition } = this.#rule.config;
    const result = mustBeBoolean(this.#trying.evaluate({ program: condition, given }));
    if ('error' in result) this.#trying.onError(result.error);
    const holds = 'value' in result && result.value === true;
    this.#state = holds
      ? { ...state, dueAt: null, acted: true }
      : { ...state, holds: false, since: null, dueAt: null, acted: false };
    return holds ? this.#hit(event, state.dueAt, given) : undefined;
  }

  /** The values with which the condition is true at a time; undefined if it is false. */
  holdingAt(at: Date, past: PastDevice): Given | undefined {
    if (!this.#isForClass) return undefined;
    const given = this.#givenAt({ id: '', name: '', payload: {}, deviceId: past.device.id, ts: at }, past);
    const result = this.#trying.evaluate({ program: this.#rule.config.condition, given });
    return 'value' in result && result.value === true ? given : undefined;
  }

  /** A hit that is held back comes again once the interval is over, like that of a live rule. */
  #hit(event: Pick<StoredEvent, 'id' | 'name'>, at: Date, given: Given): Hit {
    const { config } = this.#rule;
    const againMs = this.#actedMs + config.everyS * 1000;
    const isHeld = at.getTime() < againMs;
    if (!isHeld) this.#actedMs = at.getTime();
    else if (this.#state && actsLater(config)) this.#state = { ...this.#state, dueAt: new Date(againMs) };
    return { key: `${event.id} ${at.getTime()}`, at, event, given, isHeld };
  }

  #givenAt(
    { id, ts, name, deviceId, payload }: Pick<StoredEvent, 'id' | 'ts' | 'name' | 'deviceId' | 'payload'>,
    past: PastDevice,
    at = ts,
  ): Given {
    return {
      event: { id, ts: ts.toISOString(), name, deviceId, payload },
      device: past.givenAt(at),
      state: past.state,
      data: this.#trying.data,
      figures: past.figuresAt(compile(this.#rule.config).used.figures, at),
    };
  }
}
