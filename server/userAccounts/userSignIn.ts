import { signIn } from '#contract/appApi/session.ts';
import { Problem } from '#contract/problem.ts';
import { deviceName } from '#server/accounts/deviceName.ts';
import { on } from '#server/endpoints/route.ts';
import { startUserSession } from '#server/userSessions/startUserSession.ts';
import { checkPasswordsUsed, isPasswordExpired, proveUser } from './userPasswords.ts';

export const signInRoute = on(
  signIn,
  async call => {
    checkPasswordsUsed(call);
    const user = await proveUser(call, call.body);
    if (user.suspended) throw new Problem('USER_SUSPENDED');
    if (user.verifiedAt === null) throw new Problem('EMAIL_UNVERIFIED');
    if (await isPasswordExpired(call.platform.db, user, call.now)) throw new Problem('PASSWORD_EXPIRED');
    return user;
  },
  ({ db, platform, inApp, body, from, now }, user) =>
    startUserSession(db, platform, {
      ...{ app: inApp, user, address: from.address, now },
      deviceName: body.deviceName || deviceName(from.userAgent),
    }),
);
