import { createMyHome, editMyHome, listMyHomes, type MyHome, readMyHome } from '#contract/appApi/home.ts';
import { Problem } from '#contract/problem.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import { insertHome, updateHome } from './changeHomes.ts';
import { findMyHome, myHomes } from './myHomes.ts';

/** The caller of the app API, in the form that the reads of homes take. */
function whoseOf({ inApp, user, now }: Pick<Call, 'inApp' | 'user' | 'now'>) {
  return { projectId: inApp.projectId, userId: user.id, hasRoles: inApp.hasRoles, now };
}

/** A home as the caller sees it now. */
export async function answerMyHome(
  call: Pick<Call, 'db' | 'inApp' | 'user' | 'now'>,
  homeId: string,
): Promise<MyHome> {
  const home = await findMyHome(call.db, homeId, whoseOf(call));
  if (!home) throw new Problem('HOME_NOT_FOUND');
  return home;
}

export const myHomeRoutes = [
  on(listMyHomes, call => myHomes(call.db, whoseOf(call), call.page)),

  on(createMyHome, async call => {
    const { db, inApp, user, body, now } = call;
    const { projectId } = inApp;
    if (inApp.restrictHomeCreation) throw new Problem('HOME_CREATION_RESTRICTED');
    const homeId = await insertHome(db, { projectId, ownerId: user.id, ...body, createdIn: inApp.id, now });
    return answerMyHome(call, homeId);
  }),

  on(readMyHome, call => answerMyHome(call, call.params.homeId)),

  on(editMyHome, async call => {
    const { db, inApp, params, body } = call;
    call.before = await answerMyHome(call, params.homeId);
    await updateHome(db, { projectId: inApp.projectId, homeId: params.homeId }, body);
    return answerMyHome(call, params.homeId);
  }),
];
