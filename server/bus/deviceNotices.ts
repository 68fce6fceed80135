import type { CommandFrame } from '#contract/deviceProtocol.ts';
import type { Platform } from '#server/platform.ts';

/**
 * What the doors tell the gateway that holds a device's connection, after it is kept. A notice may be lost: the gateway
 * looks by itself, at each connection and from time to time, so that it only makes haste.
 */
export type DeviceNotice =
  /** Suspended, deleted, or with another key: connections that may no longer be are ended. */
  | { kind: 'access' }
  /** `isSent`: its stage says already that it is on its way. */
  | { kind: 'command'; name: string; frame: CommandFrame; isSent: boolean }
  | { kind: 'desired' }
  | { kind: 'config' }
  | { kind: 'target' }
  | { kind: 'logRequest' }
  /** What it reports changed what of its desired state is left to do. */
  | { kind: 'delta' }
  /** It came back under this client id: connections under it with a smaller number are over. */
  | { kind: 'takenOver'; clientId: string; number: number };

export const deviceSubject = (deviceId: string) => `device ${deviceId}`;
export const classSubject = (projectId: string, deviceClass: string) => `class ${projectId} ${deviceClass}`;

export function tellDevice({ bus }: Pick<Platform, 'bus'>, deviceId: string, notice: DeviceNotice): void {
  bus.publish(deviceSubject(deviceId), notice);
}

/** Tells all devices of a class. */
export function tellClass(
  { bus }: Pick<Platform, 'bus'>,
  projectId: string,
  deviceClass: string,
  notice: DeviceNotice,
): void {
  bus.publish(classSubject(projectId, deviceClass), notice);
}
