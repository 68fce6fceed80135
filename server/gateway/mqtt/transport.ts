import type { DisconnectReason } from '#contract/deviceProtocol.ts';
import type { Protocol } from '#server/presence/presenceBook.ts';

/** What carries a device's bytes: a socket, or a WebSocket. */
export interface Transport {
  readonly protocol: Protocol;
  readonly address: string;
  /** Bytes that were written and are not yet on their way. */
  readonly buffered: number;
  write(bytes: Uint8Array): void;
  /** Stops reading, so that who sends too much has to wait. */
  pause(): void;
  resume(): void;
  /** Closes it once what was written is on its way, or a moment later. */
  end(reason: DisconnectReason): void;
}

/** What a transport tells. */
export interface TransportEvents {
  received(bytes: Uint8Array): void;
  /** What came is not even bytes. */
  malformed(): void;
  /** Everything written is on its way. */
  drained(): void;
  closed(): void;
}
