import type { CommandFrame, LogRequestFrame } from '#contract/deviceProtocol.ts';
import {
  isCommandFrame,
  isLogRequestFrame,
  isRejectedFrame,
  isTarget,
  type Rejected,
  type Target,
  versioned,
} from '#sdk/frames.ts';
import { decodeJson, isObject, type JsonObject } from '#sdk/json.ts';
import { Kept, Listeners } from './listeners.ts';

/** A state with its version. */
export interface Versioned {
  version: number;
  state: JsonObject;
}

/** Messages to a device, by topic. */
export class Incoming {
  readonly desired = new Kept<Versioned>();
  readonly delta = new Kept<Versioned>();
  readonly config = new Kept<JsonObject>();
  /** Null while no firmware is assigned. */
  readonly target = new Kept<Target | null>();
  readonly logWanted = new Kept<boolean>();
  readonly rejected = new Listeners<Rejected>();
  readonly commands = new Listeners<{ name: string; frame: CommandFrame }>();
  readonly logRequests = new Listeners<LogRequestFrame>();

  /** `topic` has no device prefix. Unknown topics of a newer platform are ignored. */
  take(topic: string, payload: Uint8Array): void {
    const [head, value = ''] = topic.split('/');
    const frame = decodeJson(payload);
    if (topic === 'desired' || topic === 'delta') {
      const state = versioned(frame, topic);
      if (state) this[topic].emit(state);
    } else if (topic === 'config' && isObject(frame)) this.config.emit(frame);
    else if (topic === 'target' && (frame === null || isTarget(frame))) this.target.emit(frame);
    else if (topic === 'log/wanted' && isObject(frame)) this.logWanted.emit(frame.wanted === true);
    else if ((topic === 'rejected' || topic === 'state/rejected') && isRejectedFrame(frame))
      this.rejected.emit(frame);
    else if (head === 'commands' && isCommandFrame(frame)) this.commands.emit({ name: value, frame });
    else if (head === 'logRequests' && isLogRequestFrame(frame)) this.logRequests.emit(frame);
  }
}
