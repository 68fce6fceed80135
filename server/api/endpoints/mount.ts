import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from '#contract/client.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import type { LogEntry } from '#contract/log.ts';
import { Problem } from '#contract/problem.ts';
import { type Found, type Ids, RoleTooLow } from '#server/api/access/access.ts';
import { publishLive } from '#server/api/http/live.ts';
import { toProblem } from '#server/api/http/problems.ts';
import { wakeSealer } from '#server/api/logs/auditChain/sealer.ts';
import type { RepeatThrottle } from '#server/infra/pace/repeatThrottle.ts';
import type { Platform } from '#server/infra/platform.ts';
import { answerWith } from './answer.ts';
import type { Callers, Door } from './apiDoor.ts';
import { audit } from './audit.ts';
import { type Constraints, constraintOf } from './constraints.ts';
import { answerOf, keyOf, once, type StoredBy, storedBy } from './idempotency.ts';
import { refuseStale } from './ifMatch.ts';
import { checkQueryText, isId, pageAsked, parseParams, parseShape } from './input.ts';
import type { Limits } from './limits.ts';
import { recordRefusal, recordRoleTooLow } from './refusals.ts';
import { type Call, makeCall, type Route } from './route.ts';

export interface Mounting {
  platform: Platform;
  door: Door;
  limits: Limits;
  /** Throttles repeated audit entries of rejected calls. */
  refusals: RepeatThrottle;
  constraints: Constraints;
}

/** Registers a call and its pipeline: caller → limits → access → input → run → audit → answer. */
export function mount(app: FastifyInstance, route: Route, mounting: Mounting): void {
  const { endpoint } = route;
  app.route({
    // Every GET also answers HEAD; Fastify omits the body.
    method: endpoint.method === 'GET' ? ['GET', 'HEAD'] : endpoint.method,
    url: endpoint.path,
    handler: async (request, reply) => {
      const due = endpoint.answersAfterMs === undefined ? undefined : pause(endpoint.answersAfterMs);
      const answer = await answerCall(route, request, reply, mounting);
      await due;
      if (request.method === 'HEAD' && hasEffects(endpoint)) return reply.code(200).send();
      return answerWith(endpoint, answer, reply);
    },
  });
}

/** Whether a GET opens a stream, uses up a link or is audited: its HEAD runs the same checks, and does nothing. */
function hasEffects({ raw, audit }: AnyEndpoint): boolean {
  return raw === 'event stream' || raw === 'redirect' || audit !== undefined;
}

async function answerCall(route: Route, request: FastifyRequest, reply: FastifyReply, mounting: Mounting) {
  const { platform, limits, door } = mounting;
  const { endpoint } = route;
  const now = platform.clock();
  const callers = await door.callerOf(endpoint, request, now);
  const params = parseParams((request.params ?? {}) as Record<string, string>);
  const body = bodyOf(endpoint, request);
  const ids = idsOf(body, request.query, params);
  const call = beginCall(endpoint, { request, reply, platform, callers, params, now });
  const found = await accessOf(call, { ids, body }, mounting);
  const projectId = found?.projectId ?? callers.app?.projectId;
  if (projectId) platform.traffic.count(projectId, door.traffic);
  readInput(call, request.query, body);
  // Only valid input counts against an endpoint's own limit, so a typo does not use up a sign-up.
  limits.checkEndpoint(endpoint, request.ip, now.getTime());
  Object.assign(call, {
    projectId,
    role: found?.role,
    membership: found?.membership,
    row: found?.row,
    before: found?.row,
  });
  if (request.method === 'HEAD' && hasEffects(endpoint)) return undefined;
  try {
    const stored = storedBy(call, request, door);
    // A retry skips `prepare`: it would send requests twice, and its checks may fail by now.
    const first = stored && route.prepare && (await answerOf(platform.db, stored));
    if (first) return first.answer;
    const prepared = await route.prepare?.(call);
    if (endpoint.method === 'GET' && endpoint.audit === undefined) return await route.run(call, prepared);
    return await change(route, call, prepared, { stored, ids, door });
  } catch (error) {
    const problem = toProblem(constraintOf(error, mounting.constraints) ?? error);
    if (endpoint.auditRefusals && problem.status < 500) await recordRefusal(call, problem, mounting.refusals);
    else if (problem.reason === 'ROLE_TOO_LOW') await recordRoleTooLow(call, problem, mounting.refusals);
    throw problem.status >= 500 ? error : problem;
  }
}

async function accessOf(
  call: Call,
  { ids, body }: { ids: Ids; body: unknown },
  mounting: Mounting,
): Promise<Found | undefined> {
  try {
    return await mounting.door.authorize(call, ids, { db: mounting.platform.db, lock: false });
  } catch (error) {
    if (error instanceof RoleTooLow) {
      Object.assign(call, { projectId: error.found.projectId, before: error.found.row });
      await recordRoleTooLow(call, error, mounting.refusals);
    }
    // If the body does not name the row, the error is in the body: the row is not missing.
    if (error instanceof Problem && error.status === 404 && !namesRow(call.endpoint, ids))
      parseShape(call.endpoint.body, body);
    throw error;
  }
}

/** Returns false if the body should name the row and does not. */
function namesRow({ access, path, method }: AnyEndpoint, ids: Ids): boolean {
  if (typeof access !== 'object' || access.of === 'project' || path.includes(':') || method === 'GET')
    return true;
  return ids[`${access.of}Id`] !== undefined;
}

/** A change, or the read of a secret, its audit log entry and its idempotency key are one transaction. */
async function change(
  route: Route,
  call: Call,
  prepared: unknown,
  { stored, ids, door }: { stored: StoredBy | undefined; ids: Ids; door: Door },
): Promise<unknown> {
  const { endpoint, platform } = call;
  let entry: LogEntry | undefined;
  let afterwards: (() => void)[] = [];
  const result = await platform.db.tx(async db => {
    call.db = db;
    // Reset, because the transaction can be retried.
    afterwards = [];
    call.afterCommit = tell => {
      afterwards.push(tell);
    };
    const work = async () => {
      // The caller can lose session, role or rights while `prepare` runs.
      if (route.prepare) await door.recheck(call, db);
      const changesRow = endpoint.method !== 'POST' && endpoint.method !== 'GET';
      if (changesRow || route.prepare) await findAgain(call, ids, { door, lock: changesRow });
      const answer = await route.run(call, prepared);
      entry = await audit(call, answer, db);
      return answer;
    };
    return stored ? once(db, stored, work) : work();
  });
  for (const tell of afterwards) tell();
  if (entry) publishChange(call, entry);
  return result;
}

/** Publishes the change and its audit log entry. Call only after the commit. */
function publishChange({ platform, projectId, endpoint, params }: Call, entry: LogEntry): void {
  wakeSealer(platform);
  const ids: Record<string, string> = params;
  const about = projectId ?? ids.projectId;
  if (!about) return;
  const { makesOld } = endpoint;
  if (endpoint.method !== 'GET')
    publishLive(platform, about, { kind: 'changed', path: pathOf(endpoint, ids), makesOld });
  if (projectId) publishLive(platform, projectId, { kind: 'entry', entry });
}

/** Authorizes again and reads the row, with a lock for a change, so that `If-Match` still holds at the write. */
async function findAgain(call: Call, ids: Ids, { door, lock }: { door: Door; lock: boolean }): Promise<void> {
  const found = await door.authorize(call, ids, { db: call.db, lock });
  if (!found) return;
  call.row = found.row;
  call.membership = found.membership;
  if (!lock) return;
  call.before = found.row;
  if (call.endpoint.ifMatch === 'row') refuseStale(call, found.row);
}

/**
 * The ids named by a call: `projectId` may be in the query of a list or the body of a creation; the path takes
 * precedence. Malformed ids are left out, for query or body validation to report.
 */
function idsOf(...sources: unknown[]): Ids {
  const ids: Ids = {};
  for (const source of sources) {
    for (const [name, value] of Object.entries((source ?? {}) as Record<string, unknown>)) {
      if (name.endsWith('Id') && typeof value === 'string' && isId(value)) ids[name] = value;
    }
  }
  return ids;
}

/** The parts of a call that are known before its input is parsed. */
function beginCall(
  endpoint: AnyEndpoint,
  given: {
    request: FastifyRequest;
    reply: FastifyReply;
    platform: Platform;
    callers: Callers;
    params: Record<string, string>;
    now: Date;
  },
): Call {
  const { request, reply, platform, callers, params, now } = given;
  const from = {
    requestId: request.id,
    address: request.ip,
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 400),
    cookies: request.cookies,
  };
  return makeCall({
    ...callers,
    session: callers.session,
    endpoint,
    platform,
    params,
    now,
    from,
    query: {},
    body: {},
    page: pageAsked(endpoint, {}),
    row: undefined,
    ifMatch: request.headers['if-match'],
    idempotencyKey: keyOf(endpoint, request),
    lastEventId: headerOf(request, 'last-event-id'),
    setCookie: (name, value, options) => {
      reply.setCookie(name, value, options);
    },
    setHeader: (name, value) => {
      reply.header(name, value);
    },
  });
}

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function readInput(call: Call, query: unknown, body: unknown): void {
  const { endpoint } = call;
  checkQueryText(query as Record<string, unknown>);
  call.query = parseShape(endpoint.query, query);
  call.body = parseShape(endpoint.body, body);
  call.page = pageAsked(endpoint, call.query);
}

/** A form content type on a JSON endpoint may be a cross-site request. */
function bodyOf(endpoint: AnyEndpoint, request: FastifyRequest): unknown {
  if (request.body === undefined) return {};
  const isForm = (request.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded');
  if (isForm === endpoint.form) return request.body;
  const message = 'Send the body as application/x-www-form-urlencoded.';
  throw new Problem('UNSUPPORTED_MEDIA_TYPE', endpoint.form ? { message } : {});
}
