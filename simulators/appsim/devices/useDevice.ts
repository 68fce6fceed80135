import { useEffect, useReducer, useState } from 'react';
import type { CallFailed } from '#contract/client.ts';
import type { Json, LiveDevice } from '#sdk/app.ts';
import { type AppSimulation, failureOf } from '../simulation.ts';
import { useLoaded } from '../useLoaded.ts';
import { type DeviceField, deviceFields } from './deviceFields.ts';
import { nameOfDevice } from './nameOfDevice.ts';

/** Kept for the next screen of a device, which may come when there is no network. */
const classes = new WeakMap<LiveDevice, Awaited<ReturnType<LiveDevice['readClass']>>>();

/** A device as a screen needs it: drawn anew when it changes, with the controls that its class describes. */
export function useDevice(simulation: AppSimulation, device: LiveDevice) {
  const [, changed] = useReducer((count: number) => count + 1, 0);
  useEffect(() => device.onChange(changed), [device]);
  const read = async () => {
    const answer = await device.readClass();
    classes.set(device, answer);
    return answer;
  };
  const { data: deviceClass = classes.get(device) } = useLoaded(read, device.id);
  // Kept from then on: the stream tells of each change.
  useLoaded(() => device.readUpdate(), device.id);
  const [error, setError] = useState<CallFailed>();
  const { about } = device;
  return {
    deviceClass,
    fields: deviceFields(deviceClass?.stateSchema, device),
    mayControl: about.rights.includes('control') && !about.suspended,
    error,
    /** As often as one presses: the SDK shows each at once and sends them in order. */
    set({ name, title }: DeviceField, value: Json): void {
      setError(undefined);
      simulation.wire.tap(`${title} of ${nameOfDevice(about)}`, device.id);
      const setting = device.set(Object.fromEntries([[name, value]]));
      setting.catch(thrown => setError(failureOf(thrown)));
    },
  };
}
