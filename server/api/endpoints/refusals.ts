import type { Problem } from '#contract/problem.ts';
import { publishLive } from '#server/api/http/live.ts';
import { wakeSealer } from '#server/api/logs/auditChain/sealer.ts';
import type { RepeatThrottle } from '#server/infra/pace/repeatThrottle.ts';
import { auditRefusal } from './audit.ts';
import type { Call } from './route.ts';

/** Records an attempt that a member's role does not allow in the project's log, at most once a minute. */
export async function recordRoleTooLow(call: Call, problem: Problem, lately: RepeatThrottle): Promise<void> {
  if (call.endpoint.method === 'GET') return;
  const key = `${call.me.developerId} ${call.projectId} ${call.endpoint.name}`;
  if (lately.isFirst(key, call.now.getTime())) await writeRefusal(call, problem, false);
}

/**
 * Audits a rejected call and publishes the entry. Failed sign-ins are also recorded in the projects of the
 * account, at most once a minute so that they cannot be flooded.
 */
export async function recordRefusal(call: Call, problem: Problem, lately: RepeatThrottle): Promise<void> {
  const { about, session, endpoint, now } = call;
  const key = `${about?.developerId} ${endpoint.name} ${problem.reason}`;
  const isGuess = !session && about?.developerId !== undefined;
  await writeRefusal(call, problem, isGuess && lately.isFirst(key, now.getTime()));
}

async function writeRefusal(call: Call, problem: Problem, inProjects: boolean): Promise<void> {
  const entry = await auditRefusal(call, problem, { inProjects });
  if (!entry) return;
  wakeSealer(call.platform);
  if (call.projectId) publishLive(call.platform, call.projectId, { kind: 'entry', entry });
}
