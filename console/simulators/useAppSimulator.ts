import { useProject } from '#console/membership/useProject.ts';
import { useOnboarding } from '#console/onboarding/useOnboarding.ts';
import type { Project } from '#contract/project.ts';
import { deviceQuery } from './deviceQuery.ts';
import { useOpening } from './useOpening.ts';

/** What the app begins with: the address of who signs in, the home that is opened first. */
interface Start {
  email?: string | undefined;
  homeId?: string | undefined;
}

/**
 * The app simulator in a window of its own, alone or with a device beside it: one window, because browsers open no more
 * than one by a press. `of` where one is not in the project.
 */
export function useAppSimulator(of?: Project) {
  const { data: here } = useProject();
  const project = of ?? here;
  const { set } = useOnboarding();
  const { openAt, opening, error } = useOpening();

  async function open(appId: string, deviceId?: string, { email, homeId }: Start = {}): Promise<void> {
    if (!project) return;
    const address = async () => {
      const query = new URLSearchParams({
        ...(project.userAccountMode === 'email' && { el: '1' }),
        ...(project.isSample && { onboard: '1' }),
        ...(project.onDemandProvisioning && { odp: '1' }),
        ...(email !== undefined && { email }),
        ...(homeId !== undefined && { home: homeId }),
        ...(deviceId !== undefined && (await deviceQuery(deviceId, project))),
      });
      return `/appsim/${project.id}/${encodeURIComponent(appId)}?${query}`;
    };
    await openAt(address, () => set(deviceId === undefined ? ['launched_app_sim'] : both));
  }
  return { open, opening, error };
}

const both = ['launched_app_sim', 'launched_dev_sim'] as const;
