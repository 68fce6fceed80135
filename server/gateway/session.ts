import type { DisconnectReason } from '#contract/deviceProtocol.ts';
import type { Credential } from './admission.ts';
import type { DeviceHere } from './here.ts';
import type { Protocol } from './presenceBook.ts';
import type { RetainedName } from './topics.ts';

/** A connection of a device that was let in, over whichever protocol. */
export interface Session {
  readonly device: DeviceHere;
  readonly clientId: string;
  readonly credential: Credential;
  readonly protocol: Protocol;
  /** 0 until it stands on record. */
  readonly number: number;
  /** Ends it; the reason stands in the device's log. */
  end(reason: DisconnectReason): void;
  /** Values that the device may want have changed. */
  refresh(names: readonly RetainedName[]): void;
  /** There are commands to deliver. */
  feed(): void;
}
