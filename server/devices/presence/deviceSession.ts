import type { CommandFrame, DisconnectReason } from '#contract/deviceProtocol.ts';
import type { RetainedName } from '#server/classes/frames/topics.ts';
import type { Credential } from '#server/devices/keys/credential.ts';
import type { ConnectedDevice } from './connectedDevices.ts';
import type { Protocol } from './pendingConnectionWrites.ts';

/** A pending command. */
export interface Waiting {
  id: string;
  name: string;
}

/** A connection of an authenticated device, over any protocol. */
export interface Session {
  readonly device: ConnectedDevice;
  readonly clientId: string;
  readonly credential: Credential;
  readonly protocol: Protocol;
  readonly address: string;
  /** 0 until the connection is registered. */
  number: number;
  /** Details of why the connection ended. */
  readonly fault?: string | undefined;
  /** How long the device has sent nothing on this connection. */
  readonly silentMs: number;
  /** Whether the connection has ended. */
  readonly isOver: boolean;
  /** Closes the connection; the reason is recorded in the device log. */
  end(reason: DisconnectReason): void;
  /** Retained values may have changed. */
  refresh(names: readonly RetainedName[]): void;
  /** There is a log request to send. */
  askForLog(): void;
  /** The QoS of its subscription to a topic; undefined if it has none. */
  hears(topic: string): 0 | 1 | undefined;
  /** A new command; `isSent`: it is already marked as sent. */
  command(name: string, frame: CommandFrame, isSent: boolean): void;
  /**
   * The pending commands of the device. Some may not have arrived here yet. All others are finished, except
   * those that arrived after the query started.
   */
  commandsWaiting(waiting: readonly Waiting[], askedMs: number): void;
}
