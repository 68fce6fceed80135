import type { Platform } from '#server/infra/platform.ts';

const subjectOf = (developerId: string) => `sessions ${developerId}`;

/**
 * Announces that a session of this developer ended or the account was suspended, so that its streams check whether they
 * may continue.
 */
export function publishSessionsChanged({ bus }: Pick<Platform, 'bus'>, developerId: string): void {
  bus.publish(subjectOf(developerId), {});
}

export function onSessionsChanged(
  { bus }: Pick<Platform, 'bus'>,
  developerId: string,
  onNotice: () => void,
): () => void {
  return bus.subscribe(subjectOf(developerId), onNotice);
}
