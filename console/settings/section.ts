import type { Project } from '#contract/project.ts';

/** What every section of the settings gets. */
export interface SectionProps {
  project: Project;
  /** The reader may look only. */
  locked: boolean;
}
