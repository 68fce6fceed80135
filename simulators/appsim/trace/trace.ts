import { createStore } from '#console/core/store.ts';
import type { StreamMessage } from '#contract/appApi/stream.ts';
import type { Command } from '#contract/command.ts';
import type { DesiredChange } from '#contract/desiredChange.ts';
import { isObject } from '#rules/json/mergePatch.ts';
import type { AppWire, Heard } from '../wire/appWire.ts';
import type { Traced } from './hops.ts';

/**
 * The acknowledgement of a device may be recorded after its report, so it is polled at these intervals before giving
 * up.
 */
const lookAgainMs = [500, 1_000, 2_000, 4_000];
const ended: readonly string[] = ['done', 'failed', 'expired', 'cancelled'];

/** Follows the latest tap to the device and back, using only the app's own traffic. */
export class Trace {
  readonly latest = createStore<Traced | undefined>(undefined);
  /** The call that the tap made. */
  #call: number | undefined;
  /** When the stream reported finished commands, because the device can be faster than the answer to the call. */
  readonly #finished = new Map<string, number>();

  readonly #lookAt: (deviceId: string) => void;

  /** `lookAt`: requests a device's latest desired changes; the answer is picked up from the traffic. */
  constructor(wire: AppWire, lookAt: (deviceId: string) => void) {
    this.#lookAt = lookAt;
    wire.onHeard(heard => this.#take(heard));
  }

  #take(heard: Heard): void {
    if (heard.what === 'tap') {
      const { label, deviceId, atMs: tapMs } = heard;
      this.#call = undefined;
      this.#finished.clear();
      this.latest.set({ label, deviceId, tapMs });
      return;
    }
    const traced = this.latest.get();
    if (!traced) return;
    if (heard.what === 'sent') this.#sent(traced, heard);
    else if (heard.what === 'answered') this.#answered(traced, heard);
    else this.#told(traced, heard.frame.data as StreamMessage, heard.atMs);
    const now = this.latest.get();
    const isThere = (one: Traced | undefined) => one?.reported && one.desired?.version !== undefined;
    if (now && isThere(now) && !isThere(traced)) this.#follow(now);
  }

  /** Requests the progress of the change, and polls until it is complete. */
  #follow({ deviceId, tapMs }: Traced, [waitMs, ...more]: readonly number[] = lookAgainMs): void {
    this.#lookAt(deviceId);
    if (waitMs === undefined) return;
    setTimeout(() => {
      const now = this.latest.get();
      if (now?.tapMs === tapMs && !now.change?.acknowledgedAt) this.#follow(now, more);
    }, waitMs);
  }

  #sent(traced: Traced, { atMs, call, asked }: Extract<Heard, { what: 'sent' }>): void {
    const isIts =
      asked.method !== 'GET' &&
      new RegExp(`^/devices/${traced.deviceId}/(commands|desired)$`).test(asked.path);
    if (!isIts || this.#call !== undefined) return;
    this.#call = call;
    const isDesired = asked.path.endsWith('/desired');
    const patch = isDesired ? (JSON.parse(asked.body) as Record<string, unknown>) : undefined;
    this.latest.set({ ...traced, sentMs: atMs, ...(patch && { desired: { patch } }) });
  }

  #answered(traced: Traced, { atMs, call, asked, status, body }: Extract<Heard, { what: 'answered' }>): void {
    if (call !== this.#call) {
      // The SDK reads a command whenever a message about it arrives.
      const isIts = asked.method === 'GET' && asked.path.endsWith(`/commands/${traced.command?.id}`);
      if (isIts && status === 200) this.latest.set({ ...traced, command: body as Command });
      const isChange = asked.path.startsWith(`/devices/${traced.deviceId}/desiredChanges`);
      if (isChange && status === 200) this.#lookedUp(traced, body as DesiredChange[]);
      return;
    }
    if (status === 0 || status >= 400) {
      const unnamed = status === 0 ? 'CONNECTION_ERROR' : String(status);
      const refusal = isObject(body) && typeof body.reason === 'string' ? body.reason : unnamed;
      this.latest.set({ ...traced, answeredMs: atMs, refusal });
    } else if (traced.desired && isObject(body)) {
      const { desiredAt, desiredVersion } = body;
      const desired = { ...traced.desired, at: String(desiredAt), version: Number(desiredVersion) };
      this.latest.set({ ...traced, answeredMs: atMs, desired });
    } else {
      const command = body as Command;
      const toldMs = this.#finished.get(command.id);
      this.latest.set({ ...traced, answeredMs: atMs, command, ...(toldMs !== undefined && { toldMs }) });
    }
  }

  #lookedUp(traced: Traced, changes: readonly DesiredChange[]): void {
    const change = changes.find(({ version }) => version === traced.desired?.version);
    if (change) this.latest.set({ ...traced, change });
  }

  #told(traced: Traced, message: StreamMessage, atMs: number): void {
    if (message.type === 'command') {
      if (!ended.includes(message.stage)) return;
      this.#finished.set(message.commandId, atMs);
      if (message.commandId === traced.command?.id) this.latest.set({ ...traced, toldMs: atMs });
    } else if (message.type === 'state' && message.deviceId === traced.deviceId && !traced.reported) {
      const name = reportedName(traced, message.reported);
      if (name) this.latest.set({ ...traced, reported: { name, at: message.ts, toldMs: atMs } });
    }
  }
}

/**
 * The name of the changed property that the device reported; for a command, of the first property reported after it.
 */
function reportedName({ desired, sentMs }: Traced, reported: Record<string, unknown>): string | undefined {
  if (sentMs === undefined || !desired) return undefined;
  const names = Object.keys(desired.patch);
  const isThere = names.every(name => JSON.stringify(reported[name]) === JSON.stringify(desired.patch[name]));
  return isThere ? names.join(', ') : undefined;
}
