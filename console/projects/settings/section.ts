import type { Project } from '#contract/project.ts';

export interface SectionProps {
  project: Project;
  /** The developer has read-only access. */
  locked: boolean;
}
