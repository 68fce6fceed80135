import type { ModuleTypeId } from '#contract/smartModule.ts';
import type { ModuleValues } from './form/moduleValues.ts';

/** A module that is filled in but for what only its developer knows. */
export interface Example {
  id: string;
  title: string;
  says: string;
  moduleType: ModuleTypeId;
  /** What it would be called. */
  moduleId: string;
  values: Partial<ModuleValues>;
}

export const examples: readonly Example[] = [];
