import type { Platform } from '#server/infra/platform.ts';

const subject = 'smart modules';

/** A change to modules of a project, or to their waiting runs. */
export interface ModuleNotice {
  projectId: string;
  /** The module whose waiting runs must be read again. */
  moduleId?: string;
}

/** Notifies the processes that run modules. A notice can be lost, so they also poll from time to time. */
export function publishModules({ bus }: Pick<Platform, 'bus'>, notice: ModuleNotice): void {
  bus.publish(subject, notice);
}

export function onModulesChanged(
  { bus }: Pick<Platform, 'bus'>,
  hear: (notice: ModuleNotice) => void,
): () => void {
  return bus.subscribe(subject, message => hear(message as ModuleNotice));
}
