import type { Platform } from '#server/platform.ts';

/**
 * Notices that a home, its members or what they may have changed, published after the commit. They only reduce latency: a
 * notice can be lost, so whoever listens also asks from time to time.
 */
export interface HomeNotice {
  kind: 'members' | 'changed' | 'deleted';
}

const subjectOf = (homeId: string) => `home ${homeId}`;
const memberSubject = (projectId: string, userId: string) => `homes of ${projectId} ${userId}`;

export function tellHome({ bus }: Pick<Platform, 'bus'>, homeId: string, notice: HomeNotice): void {
  bus.publish(subjectOf(homeId), notice);
}

export function onHomeChanged(
  { bus }: Pick<Platform, 'bus'>,
  homeId: string,
  hear: (notice: HomeNotice) => void,
): () => void {
  return bus.subscribe(subjectOf(homeId), message => hear(message as HomeNotice));
}

/** Somebody came to a home, left it, or may something else there: also for who did not listen to that home yet. */
export function tellMembers(
  platform: Pick<Platform, 'bus'>,
  { projectId, homeId, userIds }: { projectId: string; homeId: string; userIds: readonly string[] },
): void {
  tellHome(platform, homeId, { kind: 'members' });
  for (const userId of userIds) platform.bus.publish(memberSubject(projectId, userId), {});
}

/** The homes of a user changed, or what the user is in one of them. */
export function onMembershipsChanged(
  { bus }: Pick<Platform, 'bus'>,
  { projectId, userId }: { projectId: string; userId: string },
  hear: () => void,
): () => void {
  return bus.subscribe(memberSubject(projectId, userId), hear);
}
