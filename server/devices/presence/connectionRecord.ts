import type { DisconnectReason } from '#contract/deviceProtocol.ts';
import type { LiveEvents } from '#server/devices/devices/liveEvents.ts';
import type { DeviceLogNotes } from '#server/devices/log/deviceLogNotes.ts';
import { notifyDevice } from '#server/infra/bus/deviceNotices.ts';
import { count } from '#server/infra/metrics.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { ConnectedDevice } from './connectedDevices.ts';
import type { Session } from './deviceSession.ts';
import type { OpenRow, Outcome } from './pendingConnectionWrites.ts';
import type { PresenceWriter } from './presenceWriter.ts';

type NotTaken = Extract<Outcome, { taken: false }>['refusal'];

/** Registers and unregisters connections, and publishes the changes. */
export class ConnectionRecord {
  readonly #platform: Pick<Platform, 'bus' | 'clock' | 'log'>;
  readonly #presence: PresenceWriter;
  readonly #notes: DeviceLogNotes;
  readonly #liveEvents: LiveEvents;
  /** Unregistrations in progress. */
  readonly #leaving = new Set<Promise<void>>();

  constructor(
    platform: Pick<Platform, 'bus' | 'clock' | 'log'>,
    {
      presence,
      notes,
      liveEvents,
    }: { presence: PresenceWriter; notes: DeviceLogNotes; liveEvents: LiveEvents },
  ) {
    this.#platform = platform;
    this.#presence = presence;
    this.#notes = notes;
    this.#liveEvents = liveEvents;
  }

  /**
   * Returns why the device cannot connect, if so. An older connection with the same client id is notified that it was
   * taken over, and a connection that yields that it was displaced.
   */
  async arrive(session: Session, returningAs?: number): Promise<NotTaken | undefined> {
    const { device, clientId, credential, protocol, address } = session;
    const at = this.#platform.clock();
    const isOver = () => session.isOver;
    const outcome = await this.#presence.begin({
      deviceId: device.id,
      clientId,
      credential,
      protocol,
      address,
      at,
      isOver,
      returningAs,
      silentMsOf: ({ number }) => device.silentMsOf(number),
    });
    if (!outcome.taken) return outcome.refusal;
    session.number = outcome.number;
    count('mooring_gateway_accepts_total', { protocol });
    this.#notes.connected(session, at);
    if (outcome.over)
      notifyDevice(this.#platform, device.id, { kind: 'takenOver', clientId, number: outcome.number });
    if (outcome.displaced) {
      this.#notes.displaced(device);
      notifyDevice(this.#platform, device.id, { kind: 'displaced', number: outcome.displaced.number });
    }
    this.#liveEvents.presence(device, outcome.changed);
    if ((device.takenOver.get(clientId) ?? 0) > outcome.number) session.end('TAKEN_OVER');
    return undefined;
  }

  /**
   * Registers a live connection again after it lost its row: its gateway was presumed dead, or it was displaced and the
   * notice was lost. The connection may end meanwhile.
   */
  async arriveAnew(session: Session): Promise<void> {
    const refusal = await this.arrive(session, session.number);
    if (refusal === 'LEFT') return;
    if (refusal) return session.end(refusal === 'TOO_MANY' ? 'DISPLACED' : refusal);
    if (!session.device.sessions.has(session)) this.left(session, 'LOST');
  }

  /** Ends a registered connection that no gateway holds. */
  async orphaned({ projectId, deviceId, clientId, number }: OpenRow): Promise<void> {
    const at = this.#platform.clock();
    count('mooring_gateway_disconnects_total', { reason: 'LOST' });
    const end = { projectId, deviceId, clientId, number, reason: 'LOST' as const, at };
    this.#liveEvents.presence({ projectId, id: deviceId }, await this.#presence.end(end));
  }

  left(session: Session, reason: DisconnectReason): void {
    const at = this.#platform.clock();
    count('mooring_gateway_disconnects_total', { reason });
    this.#notes.disconnected(session, reason, at);
    // After a takeover the row belongs to the newer connection; after a displacement it has been deleted.
    if (reason === 'TAKEN_OVER' || reason === 'DISPLACED') return;
    const leaving = this.#leave(session.device, {
      clientId: session.clientId,
      number: session.number,
      reason,
      at,
    })
      .catch(error =>
        this.#platform.log('error', 'The end of a connection could not be recorded', {
          error: String(error),
        }),
      )
      .finally(() => this.#leaving.delete(leaving));
    this.#leaving.add(leaving);
  }

  async #leave(
    device: ConnectedDevice,
    end: { clientId: string; number: number; reason: DisconnectReason; at: Date },
  ): Promise<void> {
    const { projectId, id: deviceId } = device;
    this.#liveEvents.presence(device, await this.#presence.end({ projectId, deviceId, ...end }));
  }

  /** Resolves when all ended connections are unregistered. */
  async stop(): Promise<void> {
    await this.#presence.stop();
    await Promise.all(this.#leaving);
  }
}
