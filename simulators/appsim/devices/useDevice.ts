import { useEffect, useReducer, useState } from 'react';
import type { CallFailed } from '#contract/client.ts';
import type { Json, LiveDevice } from '#sdk/app.ts';
import { type AppSimulation, failureOf } from '../simulation.ts';
import { useLoaded } from '../useLoaded.ts';
import { type DeviceField, deviceFields } from './deviceFields.ts';
import { nameOfDevice } from './nameOfDevice.ts';

/** Cached for the next screen of a device, which may be opened without a network. */
const classes = new WeakMap<LiveDevice, Awaited<ReturnType<LiveDevice['readClass']>>>();

/** A device for a screen: rerenders when the device changes, with the controls that its class describes. */
export function useDevice(simulation: AppSimulation, device: LiveDevice) {
  const [, changed] = useReducer((count: number) => count + 1, 0);
  useEffect(() => device.onChange(changed), [device]);
  const read = async () => {
    const answer = await device.readClass();
    classes.set(device, answer);
    return answer;
  };
  const { data: deviceClass = classes.get(device) } = useLoaded(read, device.id);
  // Kept up to date by the stream from then on.
  useLoaded(() => device.readUpdate(), device.id);
  const [error, setError] = useState<CallFailed>();
  const { about } = device;
  return {
    deviceClass,
    fields: deviceFields(deviceClass?.stateSchema, device),
    mayControl: about.rights.includes('control') && !about.suspended,
    error,
    /** Can be called repeatedly: the SDK shows each change at once and sends them in order. */
    set({ name, title }: DeviceField, value: Json): void {
      setError(undefined);
      simulation.wire.tap(`${title} of ${nameOfDevice(about)}`, device.id);
      const setting = device.set(Object.fromEntries([[name, value]]));
      setting.catch(thrown => setError(failureOf(thrown)));
    },
  };
}
