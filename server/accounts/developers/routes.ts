import type { Slice } from '#server/api/slice.ts';
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
    developers: 'A developer account, including invited ones.',
    recovery_codes: 'A single-use recovery code for two-factor authentication.',
    tokens: 'A link sent by e-mail: verification, password reset, invitation or e-mail change.',
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
    // Another account has verified the address in the meantime; saying so would reveal that account.
    developers_email: 'INVALID_LINK',
  },
};
