import type { Slice } from '#server/api/slice.ts';
import { appConfigRoutes } from './appConfig.ts';
import { passwordChangeRoutes } from './passwordChanges.ts';
import { myProfileRoutes } from './profiles.ts';
import { registrationRoute } from './registrations.ts';
import { signInRoute } from './userSignIn.ts';
import { verificationRoutes } from './verifications.ts';

/** How end users create and manage their accounts from the app. */
export const userAccounts: Slice = {
  appRoutes: [
    ...appConfigRoutes,
    registrationRoute,
    ...verificationRoutes,
    ...passwordChangeRoutes,
    signInRoute,
    ...myProfileRoutes,
  ],
};
