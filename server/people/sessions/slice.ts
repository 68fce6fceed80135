import type { Slice } from '#server/api/slice.ts';
import { mySessionRoutes } from './mySessions.ts';
import { refreshRoute } from './refresh.ts';
import { endExpired, sessionChores } from './sessionChores.ts';

export const userSessions: Slice = {
  idPrefixes: ['uss'],
  tables: {
    user_sessions: 'One sign-in of an end user in one app.',
    user_tokens: 'An access or refresh token of a user session.',
  },
  chores: sessionChores,
  hourly: endExpired,
  appRoutes: [...mySessionRoutes, refreshRoute],
};
