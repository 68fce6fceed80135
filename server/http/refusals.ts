import type { Problem } from '#contract/problem.ts';
import { tellSealer } from '#server/logs/sealer.ts';
import { auditRefusal } from './audit.ts';
import { tellLive } from './live.ts';
import type { Call } from './route.ts';
import type { Seldom } from './seldom.ts';

/** What a member tried to change and may not stands in the project's log: once a minute, however often it is tried. */
export async function noteRoleTooLow(call: Call, problem: Problem, lately: Seldom): Promise<void> {
  if (call.endpoint.method === 'GET') return;
  const key = `${call.me.developerId} ${call.projectId} ${call.endpoint.name}`;
  if (lately.isFirst(key, call.now.getTime())) await noteRefusal(call, problem);
}

/** Writes a refusal down and tells whoever watches. */
export async function noteRefusal(call: Call, problem: Problem): Promise<void> {
  const entry = await auditRefusal(call, problem);
  if (!entry) return;
  tellSealer(call.platform);
  if (call.projectId) tellLive(call.platform, call.projectId, { kind: 'entry', entry });
}
