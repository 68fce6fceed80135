import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from '#contract/client.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { LogEntry } from '#contract/log.ts';
import { Problem } from '#contract/problem.ts';
import { checkAccess, type Found, type Ids, type Resource, RoleTooLow } from '#server/endpoints/access.ts';
import { tellLive } from '#server/http/live.ts';
import { toProblem } from '#server/http/problems.ts';
import { tellSealer } from '#server/logs/sealer.ts';
import type { RepeatThrottle } from '#server/pace/repeatThrottle.ts';
import type { Platform } from '#server/platform.ts';
import type { Session } from '#server/sessions/session.ts';
import { answerWith } from './answer.ts';
import { audit } from './audit.ts';
import { callerOf } from './caller.ts';
import { type Constraints, constraintOf } from './constraints.ts';
import { once } from './idempotency.ts';
import { refuseStale } from './ifMatch.ts';
import { checkQueryText, isId, pageAsked, parseParams, parseShape } from './input.ts';
import type { Limits } from './limits.ts';
import { noteRefusal, noteRoleTooLow } from './refusals.ts';
import { type Call, makeCall, type Route } from './route.ts';

export interface Mounting {
  platform: Platform;
  resources: Readonly<Record<string, Resource>>;
  limits: Limits;
  /** Throttles repeated audit entries of rejected calls. */
  refusals: RepeatThrottle;
  constraints: Constraints;
}

/** Registers a call and its pipeline: session → limits → access → input → run → audit → answer. */
export function mount(app: FastifyInstance, route: Route, mounting: Mounting): void {
  const { endpoint } = route;
  app.route({
    // Whoever may ask with GET may ask for the headers alone; Fastify leaves the body out.
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

/** A GET that opens a stream, uses up a link or is written down: its HEAD is checked like it, and does nothing. */
function hasEffects({ raw, audit }: Endpoint): boolean {
  return raw === 'event stream' || raw === 'redirect' || audit !== undefined;
}

async function answerCall(route: Route, request: FastifyRequest, reply: FastifyReply, mounting: Mounting) {
  const { platform, limits, resources } = mounting;
  const { endpoint } = route;
  const now = platform.clock();
  const session = await callerOf(endpoint, request, { platform, limits, now });
  const params = parseParams((request.params ?? {}) as Record<string, string>);
  const body = bodyOf(endpoint, request);
  const ids = idsOf(body, request.query, params);
  const call = beginCall(endpoint, { request, reply, platform, session, params, now });
  const found = await accessOf(call, { ids, body }, mounting);
  if (found) platform.traffic.count(found.projectId, 'apiCalls');
  readInput(call, request.query, body);
  // Only valid input counts against an endpoint's own limit, so a typo does not use up a sign-up.
  limits.checkEndpoint(endpoint, request.ip, now.getTime());
  Object.assign(call, {
    projectId: found?.projectId,
    role: found?.role,
    row: found?.row,
    before: found?.row,
  });
  if (request.method === 'HEAD' && hasEffects(endpoint)) return undefined;
  try {
    const prepared = await route.prepare(call);
    if (endpoint.method === 'GET' && endpoint.audit === undefined) return await route.run(call, prepared);
    return await change(route, call, prepared, { request, ids, resources });
  } catch (error) {
    const problem = toProblem(constraintOf(error, mounting.constraints) ?? error);
    if (endpoint.auditRefusals && problem.status < 500) await noteRefusal(call, problem, mounting.refusals);
    else if (problem.reason === 'ROLE_TOO_LOW') await noteRoleTooLow(call, problem, mounting.refusals);
    throw problem.status >= 500 ? error : problem;
  }
}

async function accessOf(
  call: Call,
  { ids, body }: { ids: Ids; body: unknown },
  mounting: Mounting,
): Promise<Found | undefined> {
  const { resources, platform } = mounting;
  try {
    const look = { db: platform.db, resources, lock: false, now: call.now };
    return await checkAccess(call.endpoint, call.session, ids, look);
  } catch (error) {
    if (error instanceof RoleTooLow) {
      Object.assign(call, { projectId: error.found.projectId, before: error.found.row });
      await noteRoleTooLow(call, error, mounting.refusals);
    }
    // A body that does not name the row is at fault, not a row that is missing.
    if (error instanceof Problem && error.status === 404 && !namesRow(call.endpoint, ids))
      parseShape(call.endpoint.body, body);
    throw error;
  }
}

/** False: the row should be named by the body, and is not. */
function namesRow({ access, path, method }: Endpoint, ids: Ids): boolean {
  if (typeof access !== 'object' || access.of === 'project' || path.includes(':') || method === 'GET')
    return true;
  return ids[`${access.of}Id`] !== undefined;
}

/** A change, or the read of a secret, its audit log entry and its idempotency key are one transaction. */
async function change(
  route: Route,
  call: Call,
  prepared: unknown,
  { request, ids, resources }: { request: FastifyRequest; ids: Ids; resources: Mounting['resources'] },
): Promise<unknown> {
  const { endpoint, platform, session } = call;
  const key = request.headers['idempotency-key'];
  let entry: LogEntry | undefined;
  let afterwards: (() => void)[] = [];
  const result = await platform.db.tx(async db => {
    call.db = db;
    // The transaction can be retried.
    afterwards = [];
    call.whenKept = tell => {
      afterwards.push(tell);
    };
    const work = async () => {
      if (endpoint.method !== 'POST' && endpoint.method !== 'GET') await lockRow(call, ids, resources);
      const answer = await route.run(call, prepared);
      entry = await audit(call, answer);
      return answer;
    };
    // Idempotency keys belong to a caller, so they need a session.
    if (endpoint.method !== 'POST' || typeof key !== 'string' || !session) return work();
    // A download is not stored for replay; sending it again changes nothing.
    if (endpoint.raw) return work();
    const asked = { caller: session.developerId, key: keyText(key), request: requestText(request) };
    return once(db, { ...asked, now: call.now, sealing: platform.sealing }, work);
  });
  for (const tell of afterwards) tell();
  if (entry) tellWhatChanged(call, entry);
  return result;
}

/** Only after the commit. */
function tellWhatChanged({ platform, projectId, endpoint, params }: Call, entry: LogEntry): void {
  tellSealer(platform);
  const ids: Record<string, string> = params;
  const about = projectId ?? ids.projectId;
  if (!about) return;
  const { makesOld } = endpoint;
  if (endpoint.method !== 'GET')
    tellLive(platform, about, { kind: 'changed', path: pathOf(endpoint, ids), makesOld });
  if (projectId) tellLive(platform, projectId, { kind: 'entry', entry });
}

/** Reads the row again under a lock, so that the check of `If-Match` is still valid at the write. */
async function lockRow(call: Call, ids: Ids, resources: Mounting['resources']): Promise<void> {
  const look = { db: call.db, resources, lock: true, now: call.now };
  const found = await checkAccess(call.endpoint, call.session, ids, look);
  if (!found) return;
  call.row = found.row;
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

/** What is known of a call before its input is parsed. */
function beginCall(
  endpoint: Endpoint,
  given: {
    request: FastifyRequest;
    reply: FastifyReply;
    platform: Platform;
    session: Session | undefined;
    params: Record<string, string>;
    now: Date;
  },
): Call {
  const { request, reply, platform, session, params, now } = given;
  const from = {
    requestId: request.id,
    address: request.ip,
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 400),
    cookies: request.cookies,
  };
  return makeCall({
    ...{
      endpoint,
      platform,
      session,
      params,
      now,
      from,
      query: {},
      body: {},
      page: pageAsked(endpoint, {}),
      row: undefined,
    },
    ifMatch: request.headers['if-match'],
    setCookie: (name, value, options) => {
      reply.setCookie(name, value, options);
    },
    setHeader: (name, value) => {
      reply.header(name, value);
    },
  });
}

function readInput(call: Call, query: unknown, body: unknown): void {
  const { endpoint } = call;
  checkQueryText(query as Record<string, unknown>);
  call.query = parseShape(endpoint.query, query);
  call.body = parseShape(endpoint.body, body);
  call.page = pageAsked(endpoint, call.query);
}

/** A form content type on a JSON endpoint may be a cross-site request. */
function bodyOf(endpoint: Endpoint, request: FastifyRequest): unknown {
  if (request.body === undefined) return {};
  const isForm = (request.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded');
  if (isForm === endpoint.form) return request.body;
  const message = 'Send the body as application/x-www-form-urlencoded.';
  throw new Problem('UNSUPPORTED_MEDIA_TYPE', endpoint.form ? { message } : {});
}

function keyText(key: string): string {
  if (key.length === 0 || key.length > 200)
    throw new Problem('INVALID_FIELDS', { fields: { 'Idempotency-Key': 'INVALID' } });
  return key;
}

function requestText(request: FastifyRequest): string {
  return `${request.method} ${request.url}\n${JSON.stringify(request.body ?? null)}`;
}
