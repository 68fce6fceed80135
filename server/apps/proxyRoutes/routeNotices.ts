import type { Platform } from '#server/infra/platform.ts';

const subject = 'proxyRoutes';

/** Announces a change to the proxy routes of a project, so that caches read them again. */
export function publishRoutesChanged({ bus }: Pick<Platform, 'bus'>, projectId: string): void {
  bus.publish(subject, { projectId });
}

export function onRoutesChanged(
  { bus }: Pick<Platform, 'bus'>,
  hear: (projectId: string) => void,
): () => void {
  return bus.subscribe(subject, notice => hear((notice as { projectId: string }).projectId));
}
