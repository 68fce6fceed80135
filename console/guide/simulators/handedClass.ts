import { shared, tab } from '#console/core/clientStorage.ts';
import type { DeviceClass } from '#contract/deviceClass.ts';
import { isObject } from '#rules/json/mergePatch.ts';

const key = 'mooring.devicesim.class';

/** What a simulated device is told about its class; real devices are not told this. */
export interface HandedClass extends Partial<Pick<DeviceClass, 'id' | 'stateSchema' | 'eventSchemas'>> {
  deviceId: string;
}

/** For the window that is opened next; too large for an address. */
export function handClass(deviceId: string, { id, stateSchema, eventSchemas }: DeviceClass): void {
  shared.write(key, JSON.stringify({ deviceId, id, stateSchema, eventSchemas } satisfies HandedClass));
}

/**
 * The class that the console handed over for this device; it stays in this tab. Undefined if the window was not opened
 * by the console.
 */
export function takeClass(deviceId: string): HandedClass | undefined {
  const handed = shared.read(key);
  if (handed !== undefined && read(handed)?.deviceId === deviceId) {
    shared.remove(key);
    tab.write(key, handed);
  }
  const known = read(tab.read(key));
  return known?.deviceId === deviceId ? known : undefined;
}

function read(text: string | undefined): HandedClass | undefined {
  const value: unknown = JSON.parse(text ?? 'null');
  return isHanded(value) ? value : undefined;
}

function isHanded(value: unknown): value is HandedClass {
  return isObject(value) && typeof value.deviceId === 'string';
}
