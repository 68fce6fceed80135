import type { FastifyReply } from 'fastify';
import { Problem } from '#contract/problem.ts';
import { type Constraints, constraintOf } from '#server/api/endpoints/constraints.ts';
import { publishLive } from '#server/api/http/live.ts';
import { appendEntry } from '#server/api/logs/append.ts';
import { wakeSealer } from '#server/api/logs/auditChain/sealer.ts';
import type { Html } from '#server/api/pages/html.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { Acting } from '#server/people/accounts/accountActs.ts';
import type { UserRecord } from '#server/people/users/userStore.ts';
import { said } from './userPage.ts';

/** The context of a request for a page. */
export interface Asked {
  platform: Platform;
  project: { id: string; name: string; isPasswordUsed: boolean; methods: string[] };
  token: string;
  address: string;
  requestId: string;
  now: Date;
  reply: FastifyReply;
  constraints: Constraints;
  /** Sends the page, under the name of the product. */
  show: (status: number, title: string, main: Html) => FastifyReply;
}

/** A page: viewing it changes nothing, and its form can be sent to it. */
export interface Page {
  path: string;
  look(asked: Asked): Promise<FastifyReply>;
  send(asked: Asked, form: Readonly<Record<string, string>>): Promise<FastifyReply>;
}

/**
 * Carries out the action of a page with its audit log entry in one transaction, and sends notices afterwards. It fails
 * with the same reasons as the call of the app API. `email`: the address that the link was sent to.
 */
export async function actOnPage(
  { platform, project, address, requestId, now, constraints }: Asked,
  { action, text, email }: { action: string; text: string; email: string },
  work: (acting: Acting) => Promise<UserRecord>,
): Promise<void> {
  const { id: projectId } = project;
  let tells: (() => void)[] = [];
  const acting = platform.db.tx(async db => {
    tells = [];
    const afterCommit = (tell: () => void) => tells.push(tell);
    const user = await work({ db, platform, project, address, now, afterCommit });
    const displayName = user.name || (user.email ?? '');
    await appendEntry(db, platform, {
      projectId,
      stream: 'audit',
      ts: now,
      level: 2,
      action,
      text,
      actor: { callerType: 'user', id: user.id, displayName },
      detail: { address, requestId },
      people: [{ person: user.id, values: [user.name, email] }],
    });
  });
  await acting.catch(error => {
    throw constraintOf(error, constraints) ?? error;
  });
  for (const tell of tells) tell();
  wakeSealer(platform);
  publishLive(platform, projectId, { kind: 'changed', path: '/users', makesOld: ['users', 'userCounts'] });
}

/** Whether the link was used or has expired since its page was looked at. */
export const isUseless = (error: unknown): boolean =>
  error instanceof Problem && error.reason === 'INVALID_LINK';

/** For an invited person who has an account, or whose product has no passwords: the app does the rest. */
export function showSignIn({ show, project }: Asked, email: string, more = ''): FastifyReply {
  const { isPasswordUsed, methods } = project;
  const by = isPasswordUsed || methods.length === 0 ? '' : ` with ${orOf(methods)}`;
  return show(200, 'Open the app', said(`Sign in to the app as ${email}${by}.${more && ` ${more}`}`));
}

const orOf = (labels: readonly string[]) => new Intl.ListFormat('en', { type: 'disjunction' }).format(labels);

export function showUseless({ show }: Asked): FastifyReply {
  const text = 'This link is not valid, has expired or has already been used. Request a new one in the app.';
  return show(400, 'This link no longer works', said(text));
}
