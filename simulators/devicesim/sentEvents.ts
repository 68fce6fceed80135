import { shared } from '#console/core/clientStorage.ts';
import { createStore } from '#console/core/store.ts';
import { isObject } from '#rules/json/mergePatch.ts';
import { type Device, type Json, SendFault } from '#sdk/device.ts';

export const severities = ['info', 'warning', 'critical'] as const;
export type Severity = (typeof severities)[number];

/** An event that is being edited. */
export interface EventDraft {
  name: string;
  payload: Json;
  alert?: { severity: Severity; text: string };
}

export interface SentEvent extends EventDraft {
  key: number;
  at: Date;
  /** `sending`; then `kept`, or the reason why the event was not accepted. */
  outcome: 'sending' | 'kept' | string;
  /** How long it took until the platform had stored the event. */
  ms?: number;
}

const shownMax = 50;
const draftsMax = 12;

/** The events that the device has sent, and the names of earlier ones. */
export class SentEvents {
  readonly all = createStore<readonly SentEvent[]>([]);
  readonly drafts;
  readonly #device: Device;
  readonly #key: string;
  #count = 0;

  constructor(device: Device) {
    this.#device = device;
    this.#key = `mooring.devicesim.events.${device.id}`;
    this.drafts = createStore(readDrafts(this.#key));
  }

  async send(draft: EventDraft): Promise<void> {
    this.#remember(draft);
    const key = ++this.#count;
    const at = new Date();
    this.all.set([{ ...draft, key, at, outcome: 'sending' as const }, ...this.all.get()].slice(0, shownMax));
    const { name, payload, alert } = draft;
    const kept = alert
      ? this.#device.raiseAlert(name, alert, isObject(payload) ? (payload as never) : { value: payload })
      : this.#device.sendEvent(name, payload);
    const outcome = await kept.then(() => 'kept', reasonOf);
    this.#change(key, { outcome, ms: Date.now() - at.getTime() });
  }

  #change(key: number, change: Partial<SentEvent>): void {
    this.all.set(this.all.get().map(event => (event.key === key ? { ...event, ...change } : event)));
  }

  #remember(draft: EventDraft): void {
    const others = this.drafts.get().filter(({ name }) => name !== draft.name);
    const drafts = [draft, ...others].slice(0, draftsMax);
    this.drafts.set(drafts);
    shared.write(this.#key, JSON.stringify(drafts));
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof SendFault) return error.reason;
  throw error;
}

function readDrafts(key: string): readonly EventDraft[] {
  const value: unknown = JSON.parse(shared.read(key) ?? '[]');
  return Array.isArray(value) ? value.filter(isDraft) : [];
}

function isDraft(value: unknown): value is EventDraft {
  return isObject(value) && typeof value.name === 'string' && 'payload' in value;
}
