import type { Granted, Qos } from '#mqtt/mqttPacket.ts';
import { levelsMatch } from '#mqtt/mqttTopic.ts';
import { subscriptionsMax } from '#rules/devices/gatewayLimits.ts';
import { maySubscribe, prefixOf } from '#server/classes/frames/topics.ts';

interface Subscription {
  /** Filters are split once, because every outgoing message is matched against them. */
  levels: readonly string[];
  qos: 0 | 1;
}

/** The subscriptions of one connection. */
export class Subscriptions {
  readonly #deviceId: string;
  readonly #prefix: string;
  readonly #granted = new Map<string, Subscription>();

  constructor(deviceId: string) {
    this.#deviceId = deviceId;
    this.#prefix = prefixOf(deviceId);
  }

  /** QoS 2 is granted as 1. A foreign or overlong filter, or one beyond the limit, is rejected. */
  add(filter: string, qos: Qos): Granted {
    const isFull = this.#granted.size >= subscriptionsMax && !this.#granted.has(filter);
    if (isFull || !maySubscribe(this.#deviceId, filter)) return 128;
    const most = qos === 0 ? 0 : 1;
    this.#granted.set(filter, { levels: filter.split('/'), qos: most });
    return most;
  }

  remove(filter: string): void {
    this.#granted.delete(filter);
  }

  /** The QoS at which the device receives the topic; undefined if it is not subscribed. */
  hears(topic: string): 0 | 1 | undefined {
    const full = (this.#prefix + topic).split('/');
    let most: 0 | 1 | undefined;
    for (const { levels, qos } of this.#granted.values()) {
      if (most !== 1 && levelsMatch(levels, full)) most = qos;
    }
    return most;
  }
}
