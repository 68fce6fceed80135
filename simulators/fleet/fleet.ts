import { setTimeout as pause } from 'node:timers/promises';
import type { FleetUpdates } from './fleetUpdates.ts';
import { type Identity, Member } from './member.ts';

const tickMs = 50;

/** Many devices in one process. */
export class Fleet {
  members: Member[] = [];
  /** Devices that did not connect in time and are no longer waited for. */
  absent: Member[] = [];
  /** Devices with wrong keys, which must be refused. */
  readonly strangers: Member[] = [];
  /** Set if the scenario includes firmware updates. */
  updates: FleetUpdates | undefined;
  readonly #to: { url: string; run: string };

  constructor(to: { url: string; run: string }) {
    this.#to = to;
  }

  get connected(): number {
    return this.members.filter(({ isConnected }) => isConnected).length;
  }

  get sent(): number {
    return this.members.reduce((sum, { eventsSent }) => sum + eventsSent, 0);
  }

  get kept(): number {
    return this.members.reduce((sum, { kept }) => sum + kept.length, 0);
  }

  get waiting(): number {
    return this.members.reduce((sum, { device }) => sum + device.waiting, 0);
  }

  /** Why the platform rejected messages, and how many: the most frequent reason first. */
  get rejected(): [string, number][] {
    const counts = new Map<string, number>();
    for (const { rejected } of this.members)
      for (const [why, count] of rejected) counts.set(why, (counts.get(why) ?? 0) + count);
    return [...counts].sort(([, a], [, b]) => b - a);
  }

  /** Starts to connect this many devices per second. */
  async start(identities: readonly Identity[], perS: number, signal: AbortSignal): Promise<void> {
    const atOnce = Math.max(1, Math.round((perS * tickMs) / 1000));
    for (let at = 0; at < identities.length && !signal.aborted; at += atOnce) {
      for (const identity of identities.slice(at, at + atOnce))
        this.members.push(new Member(identity, this.#to));
      await rest(tickMs, signal);
    }
  }

  /** Continues with the connected devices. */
  leaveBehind(): void {
    const { there = [], absent = [] } = Object.groupBy(this.members, ({ wasEverConnected }) =>
      wasEverConnected ? 'there' : 'absent',
    );
    this.members = there;
    this.absent = absent;
    for (const { device } of absent) device.close();
  }

  addStrangers(identities: readonly Identity[]): void {
    for (const { id } of identities)
      this.strangers.push(new Member({ id, apiKey: 'a key that is none' }, this.#to));
  }

  end(): void {
    this.updates?.stop();
    for (const { device } of [...this.members, ...this.strangers]) device.close();
  }
}

/** A pause that also ends when the signal is aborted. */
export async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => undefined);
}

/** Resolves with true as soon as the condition holds, and with false if it does not hold in time. */
export async function within(ms: number, signal: AbortSignal, isSo: () => boolean): Promise<boolean> {
  const end = performance.now() + ms;
  while (!isSo()) {
    if (signal.aborted || performance.now() > end) return false;
    await rest(tickMs, signal);
  }
  return true;
}

/** Makes each member act once per `everyMs`, spread evenly, until the time is over. */
export async function pulse<T>(
  all: readonly T[],
  { everyMs, forMs, signal }: { everyMs: number; forMs: number; signal: AbortSignal },
  act: (one: T) => void,
): Promise<void> {
  const beganMs = performance.now();
  let done = 0;
  for (let ms = 0; ms < forMs && !signal.aborted; ms = performance.now() - beganMs) {
    const due = Math.floor((ms / everyMs) * all.length);
    for (; done < due; done++) {
      const one = all[done % all.length];
      if (one !== undefined) act(one);
    }
    await rest(tickMs, signal);
  }
}
