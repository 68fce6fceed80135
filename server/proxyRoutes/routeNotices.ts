import type { Platform } from '#server/platform.ts';

const subject = 'proxyRoutes';

/** A proxy route of a project was changed: whoever remembers its routes reads them again. */
export function tellRoutesChanged({ bus }: Pick<Platform, 'bus'>, projectId: string): void {
  bus.publish(subject, { projectId });
}

export function onRoutesChanged(
  { bus }: Pick<Platform, 'bus'>,
  hear: (projectId: string) => void,
): () => void {
  return bus.subscribe(subject, notice => hear((notice as { projectId: string }).projectId));
}
