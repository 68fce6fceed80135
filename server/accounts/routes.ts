import type { Slice } from '#server/slice.ts';
import { accountChores } from './chores.ts';
import { logInRoute } from './logIn.ts';
import { passwordRoutes } from './passwords.ts';
import { profileRoutes } from './profile.ts';
import { sessionRoutes } from './sessions.ts';
import { signUpRoutes } from './signUp.ts';
import { sudoRoute } from './sudo.ts';
import { twoFactorRoutes } from './twoFactor.ts';

export const accounts: Slice = {
  platformTables: {
    developers: 'An account of a developer, also one that is only invited.',
    recovery_codes: 'A code that signs in without the second factor, once.',
    tokens: 'A link that was mailed: to verify, reset, accept an invitation, change the e-mail.',
    login_failures: 'How often sign-ins for an account or from an address failed, and until when they wait.',
  },
  idPrefixes: ['dvl'],
  chores: accountChores,
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
