import { topics } from '#contract/deviceProtocol.ts';
import { type RetainedName, retainedNames } from '#server/deviceFrames/topics.ts';
import type { MqttSession } from '#server/gateway/mqtt/mqttSession.ts';
import type { GatewayParts } from '#server/gateway/parts.ts';

/**
 * Tells a device the values it subscribed to: right after the subscription, marked as retained, and then whenever they
 * change. What changes while it is behind is told once, as it then is.
 */
export class RetainedFeed {
  readonly #parts: GatewayParts;
  readonly #session: MqttSession;
  /** What each was when it was last told. */
  readonly #told = new Map<RetainedName, string>();
  /** To be told: true when it was just subscribed to. */
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
      // In the same breath as the last look at what is due: nothing can become so in between and be forgotten.
      this.#isFeeding = false;
    }
  }

  async #feedDue(): Promise<void> {
    const due = new Map(this.#due);
    this.#due.clear();
    const values = await this.#parts.retained
      .of(this.#session.device, [...due.keys()])
      .catch((error: unknown) => {
        // The next occasion tells them.
        for (const [name, isNew] of due) this.#due.set(name, isNew);
        throw error;
      });
    for (const [name, { payload, mark }] of values) {
      const isNew = due.get(name) ?? false;
      if (!isNew && this.#told.get(name) === mark) continue;
      this.#told.set(name, mark);
      this.#session.send(topics[name].pattern, payload, { retain: isNew });
    }
  }
}
