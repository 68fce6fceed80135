import type { Slice } from '#server/app.ts';
import { logInRoute } from './logIn.ts';
import { passwordRoutes } from './passwords.ts';
import { profileRoutes } from './profile.ts';
import { sessionRoutes } from './sessions.ts';
import { signUpRoutes } from './signUp.ts';
import { sudoRoute } from './sudo.ts';
import { twoFactorRoutes } from './twoFactor.ts';

export const accounts: Slice = {
  routes: [
    ...signUpRoutes,
    ...profileRoutes,
    logInRoute,
    ...twoFactorRoutes,
    ...passwordRoutes,
    sudoRoute,
    ...sessionRoutes,
  ],
  constraints: {
    // Somebody else proved the address in the meantime; saying so would reveal their account.
    developers_email: 'INVALID_LINK',
  },
};
