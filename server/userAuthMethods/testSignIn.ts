import { pathOf } from '#contract/client.ts';
import { Problem } from '#contract/problem.ts';
import {
  type finishUserAuth,
  readUserAuthTest,
  type startUserAuthTest,
  type UserAuthTest,
} from '#contract/userAuthMethod.ts';
import type { Call } from '#server/endpoints/route.ts';
import { tellLive } from '#server/http/live.ts';
import { boundedClaims } from './claims.ts';
import {
  type Flow,
  findFlow,
  findOutcome,
  flowLifeS,
  insertFlow,
  keepOutcome,
  type Outcome,
  takeFlow,
} from './flows.ts';
import type { beginSignIn } from './signIn.ts';
import { findClient } from './store.ts';

/** Loaded when somebody signs in: most servers at rest have no use for it. */
const signIn = () => import('./signIn.ts');

type Begun = Awaited<ReturnType<typeof beginSignIn>>;

/** Asks the provider where to send the browser; before any transaction, since it may take its time. */
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

/** The browser comes back from the provider. Whatever came of it is kept once, and shown on the method's page. */
export async function finishTest(call: Call<typeof finishUserAuth>): Promise<{ redirect: string }> {
  const { db, query, now } = call;
  const found = query.state === undefined ? undefined : await findFlow(call, query.state);
  if (!found)
    throw new Problem('INVALID_LINK', {
      message: `This sign-in was started in another browser, or has ended. Start it again from ${call.platform.publicUrl()}.`,
    });
  const { flow, secrets } = found;
  if (await takeFlow(db, flow.id, now)) {
    await keepOutcome(db, flow.id, await outcomeOf(call, flow, secrets));
    tell(call, flow);
  }
  const { id, projectId, methodId } = flow;
  return { redirect: `/projects/${projectId}/user_auth_methods/${methodId}?test=${id}` };
}

type Secrets = NonNullable<Awaited<ReturnType<typeof findFlow>>>['secrets'];

async function outcomeOf(
  { db, platform, query, from }: Call<typeof finishUserAuth>,
  flow: Flow,
  secrets: Secrets,
): Promise<Outcome> {
  const { state = '', code, iss, error, error_description: said } = query;
  if (error !== undefined)
    return { fault: `The provider ended the sign-in: ${error}${said ? ` (${said})` : ''}.` };
  if (code === undefined) return { fault: 'The provider redirected the browser back without a code.' };
  const client = await findClient(db, flow.projectId, flow.methodId);
  if (!client) return { fault: `User authentication method ${flow.methodId} does not exist.` };
  const { finishSignIn, signInFault } = await signIn();
  try {
    return { claims: boundedClaims(await finishSignIn(platform, client, { state, code, iss }, secrets)) };
  } catch (problem) {
    const fault = signInFault(problem);
    if (fault === undefined) {
      const detail = problem instanceof Error ? (problem.stack ?? problem.message) : String(problem);
      platform.log('error', 'A sign-in could not be completed', { requestId: from.requestId, error: detail });
    }
    return { fault: fault ?? 'Mooring could not complete the sign-in. Start it again.' };
  }
}

/** The page that waits in the first window need not ask again and again. */
function tell({ platform }: Call, { id: testId, projectId, methodId }: Flow): void {
  tellLive(platform, projectId, {
    kind: 'changed',
    path: pathOf(readUserAuthTest, { projectId, methodId, testId }),
  });
}
