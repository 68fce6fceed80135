import { useProject } from '#console/core/membership/useProject.ts';
import { useOnboarding } from '#console/guide/onboarding/useOnboarding.ts';
import type { Project } from '#contract/project.ts';
import { deviceQuery } from './deviceQuery.ts';
import { useOpening } from './useOpening.ts';

/** The device simulator in a window of its own; `of` is set outside the project's screens. */
export function useDeviceSimulator(of?: Project) {
  const { data: here } = useProject();
  const project = of ?? here;
  const { set } = useOnboarding();
  const { openAt, opening, error } = useOpening();
  /** A device that is yet to be made is given as a function. */
  const open = (device: string | (() => Promise<string>)) =>
    openAt(
      async () => {
        const deviceId = typeof device === 'string' ? device : await device();
        return `/devicesim/?${new URLSearchParams(await deviceQuery(deviceId, project))}`;
      },
      () => set('launched_dev_sim'),
    );
  return { open, opening, error };
}
