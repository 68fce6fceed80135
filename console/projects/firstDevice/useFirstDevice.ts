import { useState } from 'react';
import { useRead, useSubmit } from '#console/core/api.ts';
import { invalidate } from '#console/core/client.ts';
import { useAnyDevice } from '#console/guide/onboarding/useAnyDevice.ts';
import { CallFailed } from '#contract/client.ts';
import { createDevice } from '#contract/device.ts';
import { createDeviceClass } from '#contract/deviceClass.ts';
import { readStats } from '#contract/stats.ts';

const firstClass = {
  id: 'thermostat',
  description: 'A first class to try things with.',
  stateSchema: {
    type: 'object',
    properties: {
      temperature: { type: 'number', title: 'Temperature', unit: '°C' },
      target: { type: 'number', title: 'Target', unit: '°C', minimum: 5, maximum: 30 },
    },
  },
};

/** The device that the ways to begin are about: one of the project, or a first one that is made when it is needed. */
export function useFirstDevice(projectId: string) {
  const found = useAnyDevice(projectId);
  const stats = useRead(readStats, { params: { projectId } }).data;
  const [made, setMade] = useState<{ id: string; apiKey: string | undefined }>();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<CallFailed>();
  const submit = useSubmit();
  const submitClass = useSubmit();

  async function make(): Promise<string> {
    const params = { projectId };
    const known = stats?.devices[0]?.deviceClass;
    if (known === undefined)
      await submitClass(createDeviceClass, { params, body: firstClass }).catch(unlessTaken);
    const body = {
      projectId,
      deviceClass: known ?? firstClass.id,
      tag: 'first-device',
      name: 'First device',
    };
    const { id, apiKey } = await submit(createDevice, { body });
    setMade({ id, apiKey });
    void invalidate(createDevice, params);
    return id;
  }

  /** The id of the device, which is made if there is none. */
  async function ensure(): Promise<string> {
    const there = made?.id ?? found?.id;
    if (there !== undefined) return there;
    setBusy(true);
    setError(undefined);
    try {
      return await make();
    } catch (failure) {
      if (failure instanceof CallFailed) setError(failure);
      throw failure;
    } finally {
      setBusy(false);
    }
  }

  return {
    isKnown: found !== undefined && stats !== undefined,
    id: made?.id ?? found?.id,
    name: found?.name || found?.tag || 'First device',
    /** Only right after the device was made. */
    apiKey: made?.apiKey,
    ensure,
    busy,
    error,
  };
}

/** In another window, or by somebody else, the class may just have been made. */
function unlessTaken(error: unknown): void {
  if (!(error instanceof CallFailed) || error.reason !== 'ID_TAKEN') throw error;
}

export type FirstDevice = ReturnType<typeof useFirstDevice>;
