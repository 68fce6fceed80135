import type { Platform } from '#server/platform.ts';

const subject = 'keys';

/** A key was changed or deleted: whoever remembers it looks again. */
export function tellKeyChanged({ bus }: Pick<Platform, 'bus'>, keyId: string): void {
  bus.publish(subject, { keyId });
}

export function onKeyChanged({ bus }: Pick<Platform, 'bus'>, hear: (keyId: string) => void): () => void {
  return bus.subscribe(subject, notice => hear((notice as { keyId: string }).keyId));
}
