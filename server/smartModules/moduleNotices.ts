import type { Platform } from '#server/platform.ts';

const subject = 'smart modules';

/** Something changed for the modules of a project: they, or what waits for them. */
export interface ModuleNotice {
  projectId: string;
  /** What waits for it is to be read anew. */
  moduleId?: string;
}

/** For whoever runs modules. A notice can be lost, so they also look from time to time. */
export function tellModules({ bus }: Pick<Platform, 'bus'>, notice: ModuleNotice): void {
  bus.publish(subject, notice);
}

export function onModulesChanged(
  { bus }: Pick<Platform, 'bus'>,
  hear: (notice: ModuleNotice) => void,
): () => void {
  return bus.subscribe(subject, message => hear(message as ModuleNotice));
}
