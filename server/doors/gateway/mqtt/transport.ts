import type { DisconnectReason } from '#contract/deviceProtocol.ts';
import type { Protocol } from '#server/devices/presence/pendingConnectionWrites.ts';

/** The byte stream of a connection: a socket or a WebSocket. */
export interface Transport {
  readonly protocol: Protocol;
  readonly address: string;
  /** Bytes written but not yet sent. */
  readonly buffered: number;
  /** Bytes that the system has taken so far. Grows while the device reads, also within a large write. */
  readonly sent: number;
  write(bytes: Uint8Array): void;
  /** Pauses reading (backpressure). */
  pause(): void;
  resume(): void;
  /** Closes after pending bytes are sent, or after a short timeout. */
  end(reason: DisconnectReason): void;
}

/** Callbacks of a transport. */
export interface TransportEvents {
  received(bytes: Uint8Array): void;
  /** The data violates the framing of the transport. */
  malformed(): void;
  /** All pending bytes were sent. */
  drained(): void;
  closed(): void;
}
