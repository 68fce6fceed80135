import type { CommandFrame, DisconnectReason } from '#contract/deviceProtocol.ts';
import type { RetainedName } from '#server/deviceFrames/topics.ts';
import type { Credential } from '#server/deviceKeys/credential.ts';
import type { ConnectedDevice } from './connectedDevices.ts';
import type { Protocol } from './presenceBook.ts';

/** A command that waits for its device. */
export interface Waiting {
  id: string;
  name: string;
}

/** A connection of a device that was let in, over whichever protocol. */
export interface Session {
  readonly device: ConnectedDevice;
  readonly clientId: string;
  readonly credential: Credential;
  readonly protocol: Protocol;
  readonly address: string;
  /** 0 until it stands on record. */
  number: number;
  /** What more there is to say of its end. */
  readonly fault?: string | undefined;
  /** Whether it has ended. */
  readonly isOver: boolean;
  /** Ends it; the reason stands in the device's log. */
  end(reason: DisconnectReason): void;
  /** Values that the device may want have changed. */
  refresh(names: readonly RetainedName[]): void;
  /** There is a log request to be told. */
  askForLog(): void;
  /** At which quality of service it hears a topic; undefined: not at all. */
  hears(topic: string): 0 | 1 | undefined;
  /** A command was just kept; `isSent`: its stage says already that it is on its way. */
  command(name: string, frame: CommandFrame, isSent: boolean): void;
  /**
   * These wait: some of them may not have come here yet, and all others are over, unless they came here only after it was
   * asked which wait.
   */
  commandsWaiting(waiting: readonly Waiting[], askedMs: number): void;
}
