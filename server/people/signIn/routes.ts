import { unlinkMethod } from '#contract/appApi/me.ts';
import { finishMethodSignIn, startMethodSignIn } from '#contract/appApi/session.ts';
import { finishSharedUserAuth, finishUserAuth } from '#contract/userAuthMethod.ts';
import { on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { finishSignIn, takeSignIn } from './finishSignIn.ts';
import { returnFromProvider } from './returnFromProvider.ts';
import { signInChores } from './signInStore.ts';
import { prepareSignIn, startSignIn } from './startSignIn.ts';
import { unlink } from './unlink.ts';

export const userMethods: Slice = {
  tables: {
    user_identities: 'The account of an end user at a sign-in provider.',
    user_sign_ins:
      'A sign-in of an end user at a provider: pending, or its outcome until the app fetches it.',
  },
  idPrefixes: ['sin'],
  chores: signInChores,
  routes: [
    on(finishUserAuth, call => returnFromProvider(call, call.params.methodId)),
    on(finishSharedUserAuth, call => returnFromProvider(call, undefined)),
  ],
  appRoutes: [
    on(startMethodSignIn, prepareSignIn, startSignIn),
    on(finishMethodSignIn, takeSignIn, finishSignIn),
    on(unlinkMethod, unlink),
  ],
};
