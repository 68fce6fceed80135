import type { CommandFrame } from '#contract/deviceProtocol.ts';
import type { Platform } from '#server/infra/platform.ts';

/**
 * Notices from the API to the gateway that holds a device's connection, published after the change is stored.
 * They only reduce latency: a notice can be lost, because the gateway also polls on each connection and from
 * time to time.
 */
export type DeviceNotice =
  /**
   * The device was suspended, deleted or given another key: connections that are no longer authorized are
   * closed.
   */
  | { kind: 'access' }
  /** The device was released from its home: it reconnects and reports its description again. */
  | { kind: 'released' }
  /** `isSent`: the command is already marked as sent. */
  | { kind: 'command'; name: string; frame: CommandFrame; isSent: boolean }
  | { kind: 'desired' }
  | { kind: 'config' }
  | { kind: 'target' }
  | { kind: 'logRequest' }
  /** A state report changed the delta of the desired state. */
  | { kind: 'delta' }
  /**
   * The device reconnected under this client id: its older connections, with a smaller number, were taken over.
   */
  | { kind: 'takenOver'; clientId: string; number: number }
  /**
   * The connection with this number yielded to a newer one, because the device has the maximum number of connections.
   */
  | { kind: 'displaced'; number: number };

export const deviceSubject = (deviceId: string) => `device ${deviceId}`;
export const classSubject = (projectId: string, deviceClass: string) => `class ${projectId} ${deviceClass}`;

export function notifyDevice({ bus }: Pick<Platform, 'bus'>, deviceId: string, notice: DeviceNotice): void {
  bus.publish(deviceSubject(deviceId), notice);
}

/** Notifies all devices of a class. */
export function notifyClass(
  { bus }: Pick<Platform, 'bus'>,
  projectId: string,
  deviceClass: string,
  notice: DeviceNotice,
): void {
  bus.publish(classSubject(projectId, deviceClass), notice);
}
