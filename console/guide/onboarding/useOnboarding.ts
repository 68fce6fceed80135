import { useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useCall } from '#console/core/api.ts';
import { session, updateDeveloper } from '#console/core/session.ts';
import { useStore } from '#console/core/store.ts';
import { type Developer, editDeveloper } from '#contract/account.ts';
import { places } from './steps.ts';

type Flag = keyof Developer['onboardStates'];

/**
 * The signed-in developer's tour: not started, then started or skipped. Each flag is set once, when its step is done.
 */
export function useOnboarding(): {
  developer: Developer | undefined;
  set: (flag: Flag | readonly Flag[]) => void;
  busy: boolean;
} {
  const developer = useStore(session)?.developer;
  const edit = useCall(editDeveloper, { onDone: updateDeveloper });
  return {
    developer,
    busy: edit.isPending,
    set(given) {
      if (!developer || developer.sudoer) return;
      const flags = [given].flat().filter(flag => developer.onboardStates[flag] === undefined);
      if (flags.length === 0) return;
      const onboardStates = Object.fromEntries(flags.map(flag => [flag, true as const]));
      edit.mutate({ params: { developerId: developer.id }, body: { onboardStates } });
    },
  };
}

/** While the tour is on, marks the step of the current place as done. */
export function useOnboardingPlaces(): void {
  const { developer, set } = useOnboarding();
  const part = useRouterState({ select: state => state.location.pathname.split('/')[3] ?? '' });
  const states = developer?.onboardStates;
  const flag = places.find(({ parts }) => parts.includes(part))?.flag;
  const isNew = flag !== undefined && states?.started !== undefined && states[flag] === undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `set` is a new function in every render and does the same
  useEffect(() => {
    if (isNew && flag) set(flag);
  }, [isNew, flag]);
}
