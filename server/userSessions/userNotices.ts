import type { Platform } from '#server/platform.ts';

/** Whose sessions changed. */
export interface UserNotice {
  projectId: string;
  userId: string;
}

type OnBus = Pick<Platform, 'bus'>;

const ofAll = 'user sessions';
const subjectOf = (projectId: string, userId: string) => `user sessions ${projectId} ${userId}`;

/**
 * Sessions of this user ended, the user was suspended, or what a call is answered by has changed: whoever remembers or
 * streams asks again. Told after the commit.
 */
export function tellUserSessions({ bus }: OnBus, projectId: string, userId: string): void {
  bus.publish(ofAll, { projectId, userId } satisfies UserNotice);
  bus.publish(subjectOf(projectId, userId), {});
}

export function onUserSessionsChanged(
  { bus }: OnBus,
  projectId: string,
  userId: string,
  hear: () => void,
): () => void {
  return bus.subscribe(subjectOf(projectId, userId), hear);
}

/** The sessions of all users, for who remembers many. */
export function onAnySessionsChanged({ bus }: OnBus, hear: (notice: UserNotice) => void): () => void {
  return bus.subscribe(ofAll, notice => hear(notice as UserNotice));
}
