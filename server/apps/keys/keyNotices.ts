import type { Platform } from '#server/infra/platform.ts';

const subject = 'keys';

/** Announces that a key was changed or deleted, so that caches look it up again. */
export function publishKeyChanged({ bus }: Pick<Platform, 'bus'>, keyId: string): void {
  bus.publish(subject, { keyId });
}

export function onKeyChanged({ bus }: Pick<Platform, 'bus'>, hear: (keyId: string) => void): () => void {
  return bus.subscribe(subject, notice => hear((notice as { keyId: string }).keyId));
}
