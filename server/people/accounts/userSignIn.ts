import { signIn } from '#contract/appApi/session.ts';
import { Problem } from '#contract/problem.ts';
import { deviceName } from '#server/accounts/identity/deviceName.ts';
import { on } from '#server/api/endpoints/route.ts';
import { startUserSession } from '#server/people/sessions/startUserSession.ts';
import { checkPasswordsUsed, isPasswordExpired, lockProven, proveUser } from './userPasswords.ts';

export const signInRoute = on(
  signIn,
  async call => {
    checkPasswordsUsed(call);
    return proveUser(call, call.body);
  },
  async ({ db, platform, inApp, body, from, now }, proven) => {
    const user = await lockProven(db, proven);
    if (user.suspended) throw new Problem('USER_SUSPENDED');
    if (user.verifiedAt === null) throw new Problem('EMAIL_UNVERIFIED');
    if (user.passwordIsInitial)
      throw new Problem('PASSWORD_EXPIRED', { message: 'This password was set for you. Choose your own.' });
    if (await isPasswordExpired(db, user, now)) throw new Problem('PASSWORD_EXPIRED');
    return startUserSession(db, platform, {
      app: inApp,
      user,
      address: from.address,
      now,
      deviceName: body.deviceName || deviceName(from.userAgent),
    });
  },
);
