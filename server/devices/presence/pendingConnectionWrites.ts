import type { DisconnectReason } from '#contract/deviceProtocol.ts';
import { connectionsMax } from '#rules/devices/gatewayLimits.ts';
import { type Admission, refusalOf } from '#server/devices/keys/admission.ts';
import type { Credential } from '#server/devices/keys/credential.ts';

export type Protocol = 'mqtt' | 'websocket' | 'http';

/** A new connection. */
export interface Begin {
  kind: 'begin';
  deviceId: string;
  clientId: string;
  credential: Credential;
  protocol: Protocol;
  address: string;
  at: Date;
  /** Whether it ended before it was registered: under load, some clients do not wait. */
  isOver: () => boolean;
  /** How long a connection on this gateway has been silent; undefined for connections on other gateways. */
  silentMsOf: (open: OpenRow) => number | undefined;
  /**
   * The number under which it was registered before it lost its row. It then displaces no other connection, and does not
   * take over a newer one of the same client.
   */
  returningAs?: number | undefined;
}

/** An ended connection. */
export interface End {
  kind: 'end';
  projectId: string;
  deviceId: string;
  clientId: string;
  number: number;
  reason: DisconnectReason;
  at: Date;
}

/** A row of `device_connections`. */
export interface OpenRow {
  projectId: string;
  deviceId: string;
  clientId: string;
  number: number;
  gatewayId: string;
  protocol: Protocol;
  address: string;
  temporary: boolean;
  since: Date;
}

/** What is known of a device while its presence row is locked. */
export interface LockedDevice extends Admission {
  connected: boolean;
  /** When it last connected or disconnected. */
  changedAt: Date | null;
}

/** `changed`: the status of the device changed with this connection. */
export type Outcome =
  | {
      taken: true;
      number: number;
      changed: boolean;
      over: OpenRow | undefined;
      displaced: OpenRow | undefined;
    }
  | {
      taken: false;
      refusal: 'DELETED' | 'KEY_CHANGED' | 'KEY_EXPIRED' | 'SUSPENDED' | 'TOO_MANY' | 'TAKEN_OVER' | 'LEFT';
    };

export interface PresenceEdit {
  projectId: string;
  deviceId: string;
  connected: boolean;
  at: Date;
  /** Null: unchanged. */
  reason: DisconnectReason | null;
  address: string | null;
  protocol: Protocol | null;
  /** Number of status changes, except those of a device that polls over HTTP. */
  flaps: number;
}

export interface PresenceChange {
  projectId: string;
  deviceId: string;
  at: Date;
  number: number;
  connected: boolean;
  reason: DisconnectReason | null;
}

/**
 * Computes the presence of several devices while their rows are locked: applies connections and disconnections
 * in order, then writes the result at once.
 */
export class PendingConnectionWrites {
  readonly added = new Map<string, OpenRow>();
  readonly removed: { projectId: string; deviceId: string; clientId: string; number: number }[] = [];
  readonly edits = new Map<string, PresenceEdit>();
  readonly changes: PresenceChange[] = [];
  readonly #devices: Map<string, LockedDevice>;
  readonly #open: Map<string, Map<string, OpenRow>>;
  readonly #gatewayId: string;

  constructor(devices: LockedDevice[], open: OpenRow[], gatewayId: string) {
    this.#devices = new Map(devices.map(device => [device.id, { ...device }]));
    this.#open = new Map(devices.map(({ id }) => [id, new Map()]));
    for (const row of open) this.#open.get(row.deviceId)?.set(row.clientId, row);
    this.#gatewayId = gatewayId;
  }

  /** `number` is greater than all assigned before. */
  begin(begin: Begin, number: number): Outcome {
    const device = this.#devices.get(begin.deviceId);
    const open = this.#open.get(begin.deviceId);
    const refusal = refusalOf(device, begin.credential, begin.at);
    if (refusal || !device || !open) return { taken: false, refusal: refusal ?? 'DELETED' };
    if (begin.isOver()) return { taken: false, refusal: 'LEFT' };
    const over = open.get(begin.clientId);
    const { returningAs } = begin;
    if (over && returningAs !== undefined && over.number > returningAs)
      return { taken: false, refusal: 'TAKEN_OVER' };
    const displaced = !over && open.size >= connectionsMax ? longestSilent(begin, open) : undefined;
    if (displaced && returningAs !== undefined) return { taken: false, refusal: 'TOO_MANY' };
    if (displaced) this.#remove(displaced, open);
    const row = this.#rowOf(begin, device.projectId, number);
    open.set(begin.clientId, row);
    this.added.set(keyOf(row), row);
    const changed = !device.connected;
    this.#edit(device, row, { connected: true, at: begin.at, reason: null, last: row, number });
    return { taken: true, number, changed, over, displaced };
  }

  /** Returns whether the device's status changed. The end of a connection that was taken over has no effect. */
  end(end: End, number: number): boolean {
    const device = this.#devices.get(end.deviceId);
    const open = this.#open.get(end.deviceId);
    const row = open?.get(end.clientId);
    if (!device || !open || row?.number !== end.number) {
      this.removed.push(end);
      return false;
    }
    this.#remove(row, open);
    const last = [...open.values()].at(-1);
    this.#edit(device, row, { connected: last !== undefined, at: end.at, reason: end.reason, last, number });
    return last === undefined;
  }

  #remove(row: OpenRow, open: Map<string, OpenRow>): void {
    this.removed.push(row);
    open.delete(row.clientId);
    this.added.delete(keyOf(row));
  }

  #rowOf(
    { deviceId, clientId, protocol, address, credential, at }: Begin,
    projectId: string,
    number: number,
  ): OpenRow {
    const gatewayId = this.#gatewayId;
    const temporary = credential.until !== undefined;
    return { projectId, deviceId, clientId, number, gatewayId, protocol, address, temporary, since: at };
  }

  /** `row` is the connection that began or ended. */
  #edit(
    device: LockedDevice,
    row: OpenRow,
    edit: {
      connected: boolean;
      at: Date;
      reason: DisconnectReason | null;
      last: OpenRow | undefined;
      number: number;
    },
  ): void {
    const { connected, reason, last, number } = edit;
    const ids = { projectId: device.projectId, deviceId: device.id };
    // Keeps the timeline monotonic even if another gateway's clock is ahead.
    const at = device.changedAt && device.changedAt > edit.at ? device.changedAt : edit.at;
    const isChange = device.connected !== connected;
    if (isChange) {
      this.changes.push({ ...ids, at, number, connected, reason: connected ? null : reason });
      device.changedAt = at;
    }
    device.connected = connected;
    const before = this.edits.get(device.id);
    this.edits.set(device.id, {
      ...ids,
      connected,
      at: device.changedAt ?? at,
      reason: reason ?? before?.reason ?? null,
      address: last?.address ?? null,
      protocol: last?.protocol ?? null,
      flaps: (before?.flaps ?? 0) + (isChange && row.protocol !== 'http' ? 1 : 0),
    });
  }
}

/**
 * The connection that yields if there is one more than allowed. A device that loses power leaves connections that
 * nobody closed; refusing a new one would lock the device out until they time out. For a connection on another gateway,
 * only its beginning is known, so a connection that is displaced by mistake counts as the youngest after it has
 * reconnected.
 */
function longestSilent({ at, silentMsOf }: Begin, open: Map<string, OpenRow>): OpenRow | undefined {
  const silences = [...open.values()].map(row => ({
    row,
    silentMs: silentMsOf(row) ?? at.getTime() - row.since.getTime(),
  }));
  return silences.toSorted((a, b) => b.silentMs - a.silentMs)[0]?.row;
}

/** Key of one connection; ids contain no blanks. */
function keyOf({ deviceId, clientId }: { deviceId: string; clientId: string }): string {
  return `${deviceId} ${clientId}`;
}
