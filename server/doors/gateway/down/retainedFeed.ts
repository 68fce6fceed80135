import { topics } from '#contract/deviceProtocol.ts';
import { type RetainedName, retainedNames } from '#server/classes/frames/topics.ts';
import type { MqttSession } from '#server/doors/gateway/mqtt/mqttSession.ts';
import type { GatewayParts } from '#server/doors/gateway/parts.ts';
import type { RetainedValue } from './retainedValues.ts';

/**
 * Sends a device the retained values it subscribed to: right after the subscription, and on every change.
 * Changes while the device is slow are coalesced into the latest value.
 */
export class RetainedFeed {
  readonly #parts: GatewayParts;
  readonly #session: MqttSession;
  /** The version of each value that was last sent. */
  readonly #told = new Map<RetainedName, string>();
  /** Values to send; true right after a subscription. */
  readonly #due = new Map<RetainedName, boolean>();
  #isFeeding = false;

  constructor(parts: GatewayParts, session: MqttSession) {
    this.#parts = parts;
    this.#session = session;
  }

  subscribed(isMatched: (topic: string) => boolean): void {
    for (const name of retainedNames) if (isMatched(topics[name].pattern)) this.#due.set(name, true);
    this.#feed();
  }

  refresh(names: readonly RetainedName[]): void {
    for (const name of names) {
      const isHeard = this.#session.hears(topics[name].pattern) !== undefined;
      if (isHeard && !this.#due.has(name)) this.#due.set(name, false);
    }
    this.#feed();
  }

  drained(): void {
    this.#feed();
  }

  #feed(): void {
    if (this.#isFeeding || this.#due.size === 0 || this.#session.isBehind) return;
    this.#isFeeding = true;
    this.#feedAll().catch(error =>
      this.#parts.platform.log('warn', 'Retained values are waiting for the database', {
        error: String(error),
      }),
    );
  }

  async #feedAll(): Promise<void> {
    try {
      while (this.#due.size > 0 && !this.#session.isBehind) await this.#feedDue();
    } finally {
      // Checked without an await after the last look at pending values, so that a change in between is not
      // lost.
      this.#isFeeding = false;
    }
  }

  async #feedDue(): Promise<void> {
    const due = new Map(this.#due);
    this.#due.clear();
    const values = await this.#parts.retained
      .of(this.#session.device, [...due.keys()])
      .catch((error: unknown) => {
        // Retried on the next occasion. A new subscription may have been made meanwhile.
        for (const [name, isNew] of due) this.#due.set(name, isNew || this.#due.get(name) === true);
        throw error;
      });
    for (const [name, value] of values) {
      const isNew = due.get(name) ?? false;
      if (!isNew && this.#told.get(name) === value.mark) continue;
      this.#told.set(name, value.mark);
      this.#send(name, value, isNew);
    }
  }

  #send(name: RetainedName, { payload, handed, desired }: RetainedValue, isNew: boolean): void {
    const { pattern } = topics[name];
    const { device } = this.#session;
    const { handedChanges } = this.#parts;
    const acknowledged = () => {
      if (handed) this.#handed(handed);
      if (desired !== undefined) handedChanges.note(device, desired, 'acknowledged');
    };
    const isSent = this.#session.send(pattern, payload, { retain: isNew, acknowledged });
    if (isSent && desired !== undefined) handedChanges.note(device, desired, 'sent');
    // At QoS 0 there is no PUBACK, so sent counts as delivered.
    if (isSent && handed && this.#session.hears(pattern) === 0) this.#handed(handed);
  }

  #handed(handed: NonNullable<RetainedValue['handed']>): void {
    const { id: deviceId, projectId } = this.#session.device;
    this.#parts.handedTargets.note({ projectId, deviceId, ...handed });
  }
}
