import { connectDevice, type Device, type JsonObject, SendFault } from '#sdk/device.ts';
import { LightSocket } from './lightSocket.ts';

/** A device with a known key. */
export interface Identity {
  id: string;
  apiKey: string;
}

/** A device of the fleet, with everything that was acknowledged to it. */
export class Member {
  readonly id: string;
  readonly device: Device;
  /** The numbers of the acknowledged events. */
  readonly kept: number[] = [];
  eventsSent = 0;
  /** The last acknowledged state. */
  state: JsonObject | undefined;
  wasEverConnected = false;
  /** Why the platform rejected messages, and how many. */
  readonly rejected = new Map<string, number>();
  readonly #run: string;

  /** `run` is part of every event, so that events of other runs are not mistaken for this one's. */
  constructor({ id, apiKey }: Identity, { url, run }: { url: string; run: string }) {
    this.id = id;
    this.#run = run;
    this.device = connectDevice({ url, deviceId: id, apiKey, WebSocket: LightSocket });
    this.device.onCommand('*', args => ({ done: args }));
    this.device.onRejected(({ topic, reason, faults }) => {
      const why = [topic, reason, faults?.[0]?.text].filter(Boolean).join(' ');
      this.rejected.set(why, (this.rejected.get(why) ?? 0) + 1);
    });
    this.device.onStatus(({ state }) => {
      this.wasEverConnected ||= state === 'connected';
    });
  }

  get isConnected(): boolean {
    return this.device.status.state === 'connected';
  }

  /** Sends an event and reports the state. Resolves when both are acknowledged. */
  async speak(): Promise<void> {
    const n = ++this.eventsSent;
    const state = { n, temperature: 20 + Math.round(Math.random() * 50) / 10 };
    await Promise.all([
      this.device.sendEvent('tick', { run: this.#run, n }).then(() => void this.kept.push(n), ignoreEnd),
      this.device.reportState(state).then(() => this.#reported(state), ignoreEnd),
    ]);
  }

  /** Waiting reports are merged, so an older one may be acknowledged last. */
  #reported(state: JsonObject & { n: number }): void {
    if (!this.state || Number(this.state.n) < state.n) this.state = state;
  }
}

/** Rejected messages are counted elsewhere; an error due to the end of the fleet is ignored. */
function ignoreEnd(error: unknown): void {
  if (!(error instanceof SendFault)) throw error;
}
