import type { IncomingMessage } from 'node:http';
import type { FetchedCommand } from '#contract/deviceProtocol.ts';
import type { Admission } from '#server/devices/keys/admission.ts';
import type { Credential } from '#server/devices/keys/credential.ts';
import type { GatewayParts } from '#server/doors/gateway/parts.ts';
import { PollSession } from './pollSession.ts';

/** An authenticated device that uses HTTP calls. */
export interface Caller {
  admission: Admission;
  credential: Credential;
  address: string;
}

/** Devices that poll for commands. */
export class Polls {
  readonly #parts: GatewayParts;
  readonly #sessions = new Map<string, PollSession>();
  #isClosed = false;

  constructor(parts: GatewayParts) {
    this.#parts = parts;
  }

  async poll(caller: Caller, waitMs: number, request: IncomingMessage): Promise<FetchedCommand[]> {
    if (this.#isClosed) return [];
    const session = this.#sessionOf(caller);
    const gone = Promise.withResolvers<void>();
    // Calls can be pipelined, so several of them can listen for the end of the same socket.
    request.socket.setMaxListeners(0).once('close', gone.resolve);
    const leave = session.join();
    try {
      await session.arrived;
      return await session.fetch(waitMs, gone.promise);
    } finally {
      request.socket.off('close', gone.resolve);
      leave();
    }
  }

  /** Answers all waiting calls, and accepts no more. */
  close(): void {
    this.#isClosed = true;
    for (const session of this.#sessions.values()) session.end('STOPPING');
  }

  #sessionOf({ admission, credential, address }: Caller): PollSession {
    const known = this.#sessions.get(admission.id);
    if (known) return known;
    const device = this.#parts.devices.enter(admission);
    const given = { device, credential, address };
    const session: PollSession = new PollSession(this.#parts, given, () => this.#forget(session));
    this.#sessions.set(admission.id, session);
    return session;
  }

  #forget(session: PollSession): void {
    if (this.#sessions.get(session.device.id) === session) this.#sessions.delete(session.device.id);
  }
}
