import { connectDevice, type Device, type JsonObject, SendFault } from '#sdk/device.ts';
import { LightSocket } from './lightSocket.ts';

/** A device of which the key is known. */
export interface Identity {
  id: string;
  apiKey: string;
}

/** One device of the fleet, and what it was promised. */
export class Member {
  readonly id: string;
  readonly device: Device;
  /** The numbers of the events that the platform called kept. */
  readonly kept: number[] = [];
  eventsSent = 0;
  /** As it was last reported and called kept. */
  state: JsonObject | undefined;
  wasEverConnected = false;
  readonly #run: string;

  /** `run` stands in every event, so that those of another run are not taken for it. */
  constructor({ id, apiKey }: Identity, { url, run }: { url: string; run: string }) {
    this.id = id;
    this.#run = run;
    this.device = connectDevice({ url, deviceId: id, apiKey, WebSocket: LightSocket });
    this.device.onCommand('*', args => ({ done: args }));
    this.device.onStatus(({ state }) => {
      this.wasEverConnected ||= state === 'connected';
    });
  }

  get isConnected(): boolean {
    return this.device.status.state === 'connected';
  }

  /** Says that something happened, and what it is like. Resolves when both are kept. */
  async speak(): Promise<void> {
    const n = ++this.eventsSent;
    const state = { n, temperature: 20 + Math.round(Math.random() * 50) / 10 };
    await Promise.all([
      this.device.sendEvent('tick', { run: this.#run, n }).then(() => void this.kept.push(n), ignoreEnd),
      this.device.reportState(state).then(() => this.#reported(state), ignoreEnd),
    ]);
  }

  /** Reports that waited are made one, so that an older one may be told of last. */
  #reported(state: JsonObject & { n: number }): void {
    if (!this.state || Number(this.state.n) < state.n) this.state = state;
  }
}

/** What was not kept is counted; that the fleet ended is nobody's fault. */
function ignoreEnd(error: unknown): void {
  if (!(error instanceof SendFault)) throw error;
}
