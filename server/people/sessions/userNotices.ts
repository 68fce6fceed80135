import type { Platform } from '#server/infra/platform.ts';

/** The user whose sessions changed. */
export interface UserNotice {
  projectId: string;
  userId: string;
}

type OnBus = Pick<Platform, 'bus'>;

const subject = 'user sessions';

/**
 * Announces that sessions of this user ended, the user was suspended, or cached data about the user changed, so that
 * caches and streams check again. Call it after the commit.
 */
export function publishUserSessions({ bus }: OnBus, projectId: string, userId: string): void {
  bus.publish(subject, { projectId, userId } satisfies UserNotice);
}

/** For all users, because caches and streams cover many users. */
export function onUserSessionsChanged({ bus }: OnBus, hear: (notice: UserNotice) => void): () => void {
  return bus.subscribe(subject, notice => hear(notice as UserNotice));
}
