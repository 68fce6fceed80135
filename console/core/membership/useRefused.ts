import { useEffect } from 'react';
import { banner } from '#console/core/banner.ts';
import { useProject } from './useProject.ts';

/** Tells a member who followed a link to a form that their role does not allow it, and leaves the form's address. */
export function useRefused(label: string, isRefused: boolean, leave: () => void): void {
  // The role is known with the project.
  const { data: project } = useProject();
  const isKnown = isRefused && project !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: announced once
  useEffect(() => {
    if (!isKnown) return;
    banner.set({ text: `${label}: your role in this project does not allow this. Ask an owner.` });
    leave();
  }, [isKnown]);
}
