import type { MyDevice, MyState, MyUpdate } from '#contract/appApi/device.ts';
import type { StreamMessage } from '#contract/appApi/stream.ts';
import { mergePatch } from '#rules/json/mergePatch.ts';
import { stateDelta } from '#rules/state/stateDelta.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { type Hear, Listeners, type Stop } from '../connection/listeners.ts';
import type { Json, JsonObject } from '../json.ts';
import { mayPass } from './api.ts';
import type { AnswerOf, InputOf } from './calls.ts';
import { commandFinished } from './commandFinished.ts';
import type { AppContext } from './context.ts';

type DeviceMessage = Extract<StreamMessage, { deviceId?: string | undefined }>;
/** Afterwards, somebody who taps again wants it done again. */
const sameCommandMs = minuteMs;

type AlertQuery = InputOf<'listMyAlerts'>['query'];

/** A device that is kept up to date: its reported state, its desired state, and whether it is connected. */
export class LiveDevice {
  readonly id: string;
  readonly #context: AppContext;
  readonly #changes = new Listeners<LiveDevice>();
  #about: MyDevice;
  #known: MyState | undefined;
  #update: MyUpdate | null | undefined;
  /** Changes that the platform has not confirmed yet, in order; each once, even if two have the same patch. */
  readonly #pending = new Set<{ patch: JsonObject }>();
  /** The last patch, which the next one waits for: over two connections, the later one could arrive first. */
  #setting: Promise<unknown> = Promise.resolve();
  /** True: a state arrived on the stream before any was read, and the state being read may be older. */
  #hasMissed = false;
  /** True: the stream may have missed a change of `update`. */
  #hasMissedUpdate = false;
  /** What listeners were last told, as JSON. */
  #told = '';

  constructor(context: AppContext, about: MyDevice) {
    this.#context = context;
    this.id = about.id;
    this.#about = about;
  }

  /** Name, class, connection, and the user's rights on the device. */
  get about(): MyDevice {
    return this.#about;
  }

  get isConnected(): boolean {
    return this.#about.connectionStatus === 'connected';
  }

  get reported(): JsonObject {
    return (this.#known?.reported ?? {}) as JsonObject;
  }

  /** Includes changes made here that are not confirmed yet; they are reverted if the platform refuses them. */
  get desired(): JsonObject {
    let desired: unknown = this.#known?.desired ?? {};
    for (const { patch } of this.#pending) desired = mergePatch(desired, patch);
    return desired as JsonObject;
  }

  /** The state to show in controls: the desired values, and otherwise the reported ones. */
  get shown(): JsonObject {
    return mergePatch(this.reported, this.desired) as JsonObject;
  }

  /** The part of the desired state that is not reported yet. */
  get delta(): JsonObject {
    return stateDelta(this.reported, this.desired) as JsonObject;
  }

  /**
   * The firmware that the device should run, and whether the update can be approved or postponed; null if none was
   * assigned. Undefined until `readUpdate` is called or the update changes; kept up to date from then on.
   */
  get update(): MyUpdate | null | undefined {
    return this.#update;
  }

  /** Called with the device after each change. */
  onChange(hear: Hear<LiveDevice>): Stop {
    return this.#changes.add(hear);
  }

  /**
   * Changes the desired state by a merge patch. The change is visible at once; if the platform refuses it, it is
   * reverted and the promise rejects.
   */
  async set(patch: JsonObject): Promise<void> {
    // As it is now: the app may change the object while earlier changes are on their way.
    const change = { patch: JSON.parse(JSON.stringify(patch)) as JsonObject };
    this.#pending.add(change);
    this.#notify();
    const params = { deviceId: this.id };
    const asked = { params, body: change.patch };
    const answered = this.#setting.then(() => this.#context.api.call('setMyDesired', asked));
    this.#setting = answered.catch(() => undefined);
    try {
      this.#learn(await answered);
    } finally {
      this.#pending.delete(change);
      this.#notify();
    }
  }

  /**
   * Sends a command and resolves with the device's answer; rejects with `CommandFailed` if the command failed or
   * expired. If there was no answer and the same command is sent again within a minute, the device gets it once.
   */
  async send(name: string, args?: Json, { ttlS = 60 }: { ttlS?: number } = {}): Promise<Json | undefined> {
    const body = { name, ttlS, ...(args !== undefined && { args }) };
    const asked = { params: { deviceId: this.id }, body };
    const command = await this.#context.api.callOnce('sendMyCommand', asked, sameCommandMs);
    return commandFinished(this.#context, command);
  }

  async rename(name: string): Promise<void> {
    const params = { deviceId: this.id };
    this.describe(await this.#context.api.call('editMyDevice', { params, body: { name } }));
  }

  /** Releases the device and returns the new claim code, with which it can be claimed again. */
  release(): Promise<AnswerOf<'releaseMyDevice'>> {
    return this.#context.api.call('releaseMyDevice', { params: { deviceId: this.id } });
  }

  /** The schemas of the device's class, to generate controls from. */
  readClass(): Promise<AnswerOf<'readMyDeviceClass'>> {
    return this.#context.api.call('readMyDeviceClass', { params: { deviceId: this.id } });
  }

  /** Reads `update` from the platform. */
  readUpdate(): Promise<MyUpdate | null> {
    return this.#takeUpdate(this.#context.api.call('readMyUpdate', { params: { deviceId: this.id } }));
  }

  /** Approves an update that waits for consent, or postpones it. */
  async answerUpdate(body: InputOf<'answerMyUpdate'>['body']): Promise<MyUpdate> {
    const answered = this.#context.api.call('answerMyUpdate', { params: { deviceId: this.id }, body });
    await this.#takeUpdate(answered);
    return answered;
  }

  events(query: InputOf<'listMyDeviceEvents'>['query']): Promise<AnswerOf<'listMyDeviceEvents'>> {
    return this.#context.api.call('listMyDeviceEvents', { params: { deviceId: this.id }, query });
  }

  /** Newest first. */
  alerts(query: AlertQuery = {}): Promise<AnswerOf<'listMyAlerts'>> {
    return this.#context.api.call('listMyAlerts', { params: { deviceId: this.id }, query });
  }

  /** Reads the device again, including `update` if that is kept up to date. */
  async refresh(): Promise<void> {
    const params = { deviceId: this.id };
    const { api } = this.#context;
    const read = this.reading();
    const [about, state] = await Promise.all([
      api.call('readMyDevice', { params }),
      api.call('readMyDeviceState', { params }),
    ]);
    this.describe(about);
    await read(state);
    if (this.#update !== undefined) await this.readUpdate();
  }

  /** For `LiveHome`: the stream may have missed a change of `update`, which other reads of the home leave out. */
  missUpdate(): void {
    this.#hasMissedUpdate = this.#update !== undefined;
  }

  /** For `LiveHome`: fails if it must be called again. */
  async readMissedUpdate(): Promise<void> {
    if (!this.#hasMissedUpdate) return;
    try {
      await this.readUpdate();
    } catch (error) {
      if (mayPass(error)) throw error;
      // The device is gone, or the user may not read it any more.
      this.#hasMissedUpdate = false;
    }
  }

  /** For `LiveHome`: called before the state is read; returns the function that takes the answer. */
  reading(): (state: MyState) => Promise<void> {
    const before = this.#known;
    return async state => {
      // If nothing arrived meanwhile, the state that was read is used, even if its versions start over.
      if (this.#known === before) this.#known = state;
      else this.#learn(state);
      this.#notify();
      if (!this.#hasMissed) return;
      this.#hasMissed = false;
      await this.refresh();
    };
  }

  /** For `LiveHome`: takes the device as listed. An answer can arrive after the message about a later connection. */
  describe(about: MyDevice): void {
    const { connectionStatus, since } = this.#about;
    const isLater = since !== undefined && since > (about.since ?? '');
    this.#about = isLater ? { ...about, connectionStatus, since } : about;
    this.#notify();
  }

  /** For `LiveHome`: takes a message of the stream. */
  take(message: DeviceMessage): void {
    const known = this.#known;
    if (message.type === 'presence') {
      const connectionStatus = message.connected ? 'connected' : 'disconnected';
      this.describe({ ...this.#about, connectionStatus, since: message.ts });
    } else if (message.type === 'update') {
      this.#update = message.update;
      this.#notify();
    } else if (!known) this.#hasMissed ||= message.type === 'state' || message.type === 'desired';
    else if (message.type === 'state') {
      this.#known = { ...known, reported: message.reported, reportedAt: message.ts };
      this.#notify();
    } else if (message.type === 'desired') {
      const { desired, version: desiredVersion, ts: desiredAt } = message;
      this.#learn({ ...known, desired, desiredVersion, revision: desiredVersion, desiredAt });
    }
  }

  /** An update that arrived on the stream meanwhile is newer, or is followed by a newer one. */
  async #takeUpdate(asked: Promise<MyUpdate | null>): Promise<MyUpdate | null> {
    const before = this.#update;
    const hadMissed = this.#hasMissedUpdate;
    const update = await asked;
    if (hadMissed) this.#hasMissedUpdate = false;
    if (this.#update !== before) return this.#update ?? null;
    this.#update = update;
    this.#notify();
    return update;
  }

  /** An answer can arrive after the message about a later change of either the reported or the desired state. */
  #learn(state: MyState): void {
    const known = this.#known ?? state;
    const { reported, reportedAt } = (state.reportedAt ?? '') > (known.reportedAt ?? '') ? state : known;
    const newest = state.desiredVersion < known.desiredVersion ? known : state;
    this.#known = { ...newest, reported, reportedAt };
    this.#notify();
  }

  /** The answer to a change and the message on the stream have the same content; listeners are told once. */
  #notify(): void {
    const now = JSON.stringify([this.#about, this.reported, this.desired, this.#update]);
    if (now === this.#told) return;
    this.#told = now;
    this.#changes.emit(this);
  }
}
