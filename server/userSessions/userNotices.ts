import type { Platform } from '#server/platform.ts';

/** Whose sessions changed. */
export interface UserNotice {
  projectId: string;
  userId: string;
}

type OnBus = Pick<Platform, 'bus'>;

const subject = 'user sessions';

/**
 * Sessions of this user ended, the user was suspended, or what a call is answered by has changed: whoever remembers or
 * streams asks again. Told after the commit.
 */
export function tellUserSessions({ bus }: OnBus, projectId: string, userId: string): void {
  bus.publish(subject, { projectId, userId } satisfies UserNotice);
}

/** For all users, as who remembers or streams does so for many. */
export function onUserSessionsChanged({ bus }: OnBus, hear: (notice: UserNotice) => void): () => void {
  return bus.subscribe(subject, notice => hear(notice as UserNotice));
}
