import { useProject } from '#console/core/membership/useProject.ts';
import { useOnboarding } from '#console/guide/onboarding/useOnboarding.ts';
import type { Project } from '#contract/project.ts';
import { deviceQuery } from './deviceQuery.ts';
import { useOpening } from './useOpening.ts';

/** The initial state of the app: the e-mail address for the sign-in, and the home that opens first. */
interface Start {
  email?: string | undefined;
  homeId?: string | undefined;
}

/**
 * The app simulator in a window of its own, alone or with a device beside it. Both share one window, as browsers open
 * only one per press. `of` is set outside the project's screens.
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
