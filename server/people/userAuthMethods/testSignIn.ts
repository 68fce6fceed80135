import { pathOf } from '#contract/client.ts';
import { Problem } from '#contract/problem.ts';
import {
  type finishSharedUserAuth,
  type finishUserAuth,
  readUserAuthTest,
  type startUserAuthTest,
  type UserAuthTest,
} from '#contract/userAuthMethod.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { publishLive } from '#server/api/http/live.ts';
import { type Flow, findFlow, findOutcome, flowLifeS, insertFlow, storeOutcome, takeFlow } from './flows.ts';
import { outcomeOf } from './outcomeOf.ts';
import type { beginSignIn } from './signIn.ts';
import { findClient } from './store.ts';

/** Loaded at the first sign-in, because most servers never need it. */
const signIn = () => import('./signIn.ts');

type Begun = Awaited<ReturnType<typeof beginSignIn>>;

/** Gets the URL of the provider to send the browser to. Before the transaction, because it may take long. */
export async function prepareTest(call: Call<typeof startUserAuthTest>): Promise<Begun> {
  const { platform, params } = call;
  const client = await findClient(platform.db, params.projectId, params.methodId);
  if (!client) throw new Problem('USER_AUTH_METHOD_NOT_FOUND');
  return (await signIn()).beginSignIn(platform, client);
}

export async function startTest(
  call: Call<typeof startUserAuthTest>,
  { url, state, secrets }: Begun,
): Promise<{ testId: string; signInUrl: string }> {
  const testId = await insertFlow(call, { methodId: call.params.methodId, state, secrets });
  return { testId, signInUrl: url };
}

export async function readTest(call: Call<typeof readUserAuthTest>): Promise<UserAuthTest> {
  const { db, me, params, now } = call;
  const { projectId, methodId, testId: id } = params;
  const found = await findOutcome(db, { id, projectId, methodId, developerId: me.developerId, now });
  if (!found) throw new Problem('TEST_NOT_FOUND');
  const { outcome, createdAt } = found;
  if (outcome) return { id, state: 'claims' in outcome ? 'done' : 'failed', ...outcome };
  if (now.getTime() - createdAt.getTime() > flowLifeS * 1000) return { id, state: 'failed', fault: tooLate };
  return { id, state: 'waiting' };
}

const tooLate = `The sign-in was not completed within ${flowLifeS / 60} minutes. Start it again.`;

/** A call by which a browser comes back from a provider. */
export type Returning = Call<typeof finishUserAuth> | Call<typeof finishSharedUserAuth>;

/**
 * Handles the return of a browser from the provider. The outcome is stored once, and shown on the page of the method.
 */
export async function finishTest(
  call: Returning,
  methodId: string | undefined,
): Promise<{ redirect: string }> {
  const { db, query, now } = call;
  const found = query.state === undefined ? undefined : await findFlow(call, query.state, methodId);
  if (!found)
    throw new Problem('INVALID_LINK', {
      message: `This sign-in was started in another browser, or has ended. Start it again from ${call.platform.publicUrl()}.`,
    });
  const { flow, secrets } = found;
  if (await takeFlow(db, flow.id, now)) {
    const outcome = await outcomeOf(
      call.platform,
      flow,
      { ...query, requestId: call.from.requestId },
      secrets,
    );
    await storeOutcome(db, flow.id, outcome);
    publishTest(call, flow);
  }
  const { id, projectId } = flow;
  return { redirect: `/projects/${projectId}/user_auth_methods/${flow.methodId}?test=${id}` };
}

/** Notifies the page that waits in the first window, so that it need not poll. */
function publishTest({ platform }: Call, { id: testId, projectId, methodId }: Flow): void {
  publishLive(platform, projectId, {
    kind: 'changed',
    path: pathOf(readUserAuthTest, { projectId, methodId, testId }),
  });
}
