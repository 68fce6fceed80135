import type { claimDevice, MyDevice } from '#contract/appApi/device.ts';
import { Problem } from '#contract/problem.ts';
import { countGuess, type Guess } from '#server/accounts/identity/throttle.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { claimByCode, claimedAs } from '#server/devices/devices/homeOfDevices.ts';
import { appendToSystemLog } from '#server/devices/log/systemLog.ts';
import { checkRoomInHome } from '#server/people/homeDevices/roomInHome.ts';
import { lockMyHome } from '#server/people/homes/findHome.ts';
import { myDevice } from './myDevice.ts';

type Claiming = Call<typeof claimDevice>;

/** The codes that a typed text can mean: people type groups, and the letters of their keyboard. */
function codesTried(typed: string): string[] {
  const code = typed.replace(/[\s-]/g, '');
  return [...new Set([code, code.toUpperCase()])];
}

/** Counts an attempt before checking it. Undefined if it is a repeated claim, which is not a guess. */
export async function countClaim(call: Claiming): Promise<Guess | undefined> {
  if (await repeated(call)) return undefined;
  const { platform, inApp, user, from, now } = call;
  const account = `claim ${inApp.projectId} ${user.id}`;
  return countGuess(platform, { account, from: { kind: 'claims', address: from.address }, now });
}

/** The answer is the same for a code that is wrong, used, or of another project. */
export async function claim(call: Claiming, guess: Guess | undefined): Promise<MyDevice> {
  const { db, body, inApp, user, membership, now } = call;
  await lockMyHome({ db, inApp, user, membership, now, params: body }, 'configure');
  const before = await repeated(call);
  if (before !== undefined) return myDevice(call, before);
  const coming = { projectId: inApp.projectId, homeId: body.homeId, userId: user.id, now };
  await checkRoomInHome(db, coming);
  for (const code of codesTried(body.claimCode)) {
    const id = await claimByCode(db, coming, code);
    if (id === undefined) continue;
    // Takes back only this attempt: a user must not be able to guess forever by claiming and releasing a device of
    // their own.
    await guess?.takeBack(db);
    await appendToSystemLog(call, id, 'claimed');
    return myDevice(call, id);
  }
  throw new Problem('CLAIM_CODE_WRONG');
}

/** The device that this home has already claimed with the code, if the first answer was lost. */
async function repeated({ db, body, inApp }: Claiming): Promise<string | undefined> {
  for (const code of codesTried(body.claimCode)) {
    const id = await claimedAs(db, { projectId: inApp.projectId, homeId: body.homeId }, code);
    if (id !== undefined) return id;
  }
  return undefined;
}
