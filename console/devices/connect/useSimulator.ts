import { useState } from 'react';
import { call } from '#console/api.ts';
import { useProject } from '#console/membership/useProject.ts';
import { useOnboarding } from '#console/onboarding/useOnboarding.ts';
import { CallFailed } from '#contract/client.ts';
import { createTemporaryKey, readDevice } from '#contract/device.ts';
import type { Project } from '#contract/project.ts';

/** The device simulator in a window of its own, with a key that lasts an hour; `of` where one is not in the project. */
export function useSimulator(of?: Project) {
  const { data: here } = useProject();
  const project = of ?? here;
  const { set } = useOnboarding();
  const [opening, setOpening] = useState(false);
  const [error, setError] = useState<CallFailed>();

  async function open(deviceId: string): Promise<void> {
    // Now, by the press itself: once an answer has been waited for, browsers let no window be opened.
    const opened = window.open('', '_blank');
    setOpening(true);
    setError(undefined);
    try {
      const params = { deviceId };
      const [{ claimCode }, { token, expirationTime }] = await Promise.all([
        call(readDevice, { params }),
        call(createTemporaryKey, { params }),
      ]);
      const text = new URLSearchParams({
        deviceId,
        apiKey: token,
        exp: expirationTime,
        ...(claimCode && !project?.onDemandProvisioning && { claimCode }),
        ...(project?.isSample && { onboard: '1' }),
      });
      const address = `/devicesim/?${text}`;
      if (opened) {
        opened.opener = null;
        opened.location.replace(address);
      } else window.location.assign(address);
      set('launched_dev_sim');
    } catch (failure) {
      opened?.close();
      if (!(failure instanceof CallFailed)) throw failure;
      setError(failure);
    } finally {
      setOpening(false);
    }
  }

  return { open, opening, error };
}
