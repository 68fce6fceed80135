import type { LiveHome } from '#sdk/app.ts';
import { nameOfDevice } from '../devices/nameOfDevice.ts';

/** The name of the device that sent an event. */
export function deviceNameIn(home: LiveHome, deviceId: string | undefined): string {
  if (deviceId === undefined) return 'your back end';
  const device = home.device(deviceId);
  // It has just joined the home, and is being read.
  return device ? nameOfDevice(device.about) : 'A new device';
}
