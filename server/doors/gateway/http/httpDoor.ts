import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type TopicName, topics } from '#contract/deviceProtocol.ts';
import { Problem, type Reason } from '#contract/problem.ts';
import { packetBytesMax, pollWaitMs } from '#rules/devices/gatewayLimits.ts';
import { noSuchAddress } from '#server/api/http/noSuchCall.ts';
import type { Refusal } from '#server/classes/frames/frames.ts';
import type { RetainedName } from '#server/classes/frames/topics.ts';
import { authenticate } from '#server/doors/gateway/entry/authenticate.ts';
import type { GatewayParts } from '#server/doors/gateway/parts.ts';
import { targetPublicKey } from '#server/firmware/targets/targetKey.ts';
import { countCall } from './countCall.ts';
import type { Caller, Polls } from './polls.ts';

/**
 * The longest time without an answer, apart from waiting for commands. Messages are stored as soon as the database can,
 * but a device that waits for that cannot tell it from a lost connection.
 */
const answerMaxMs = 10_000;

type Answer = (caller: Caller, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/**
 * HTTP for devices that cannot hold a connection: the same messages, one per call, with device id and key as
 * Basic credentials.
 */
export function httpDoor(door: FastifyInstance, parts: GatewayParts, polls: Polls): void {
  readBytes(door);
  answerWrongMethods(door);
  // Public, because a client needs the key before it can verify a target.
  door.get('/targetKey', async () => ({
    algorithm: 'Ed25519',
    publicKey: targetPublicKey(parts.platform.sealing),
  }));
  for (const [name, topic] of Object.entries(topics)) {
    if (!('http' in topic)) continue;
    const [method, path] = topic.http.split(' ') as ['GET' | 'POST', string];
    const answer = method === 'POST' ? take(parts, topic.pattern) : give(parts, polls, name as TopicName);
    door.route({
      method: method === 'GET' ? ['GET', 'HEAD'] : method,
      url: `/${path}`,
      bodyLimit: packetBytesMax,
      handler: async (request, reply) => {
        reply.header('cache-control', 'no-store');
        const work = async () => {
          const caller = await callerOf(parts, request, reply);
          countCall(parts, caller.admission);
          return answer(caller, request, reply);
        };
        return inTime(answerMaxMs + (name === 'command' ? pollWaitMs.most : 0), work);
      },
    });
  }
}

async function inTime<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const timer = new AbortController();
  const late = pause(ms, undefined, { signal: timer.signal }).then(() => {
    throw new Problem('UNAVAILABLE');
  });
  late.catch(() => undefined);
  return Promise.race([work(), late]).finally(() => timer.abort());
}

/** Answers a wrong method with 405 and the allowed ones; a path without a topic does not exist. */
function answerWrongMethods(door: FastifyInstance): void {
  const known = Object.values(topics).flatMap(topic => {
    if (!('http' in topic)) return [];
    const [method = '', path = ''] = topic.http.split(' ');
    return [{ method, path: new RegExp(`^/device/v1/${path.replace(/:\w+/g, '[^/]+')}$`) }];
  });
  noSuchAddress(door, known);
}

function take({ ingest }: GatewayParts, pattern: string): Answer {
  return async ({ admission }, request, reply) => {
    const params = request.params as Record<string, string>;
    const topic = pattern.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '');
    // A path can contain NUL, which PostgreSQL does not accept in text.
    if (topic.includes('\0')) throw new Problem('RESOURCE_NOT_FOUND');
    const payload = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
    const refusal = await ingest.take(admission, { topic, payload, qos: 1 });
    if (refusal) throw problemOf(refusal);
    return reply.code(204).send();
  };
}

function give(parts: GatewayParts, polls: Polls, name: TopicName): Answer {
  if (name === 'command') {
    return async (caller, request) => {
      // HEAD has no effect: a command fetched by it would reach nobody.
      if (request.method === 'HEAD') return [];
      const commands = await polls.poll(caller, waitOf(request), request.raw);
      for (const command of commands)
        parts.traffic.out(caller.admission, Buffer.byteLength(JSON.stringify(command)));
      return commands;
    };
  }
  return async ({ admission }, request, reply) => {
    const values = await parts.retained.of(admission, [name as RetainedName]);
    const { payload = Buffer.from('null'), handed, desired } = values.get(name as RetainedName) ?? {};
    reply.type('application/json; charset=utf-8');
    if (request.method === 'HEAD') return reply.send(payload);
    parts.traffic.out(admission, payload.length);
    const { id: deviceId, projectId } = admission;
    if (desired !== undefined)
      reply.raw.once('finish', () => parts.handedChanges.note(admission, desired, 'sent'));
    if (handed) reply.raw.once('finish', () => parts.handedTargets.note({ projectId, deviceId, ...handed }));
    return reply.send(payload);
  };
}

function waitOf({ query }: FastifyRequest): number {
  const { waitMs } = query as { waitMs?: unknown };
  if (waitMs === undefined) return pollWaitMs.default;
  const asked = typeof waitMs === 'string' && /^\d{1,6}$/.test(waitMs) ? Number(waitMs) : Number.NaN;
  if (!(asked <= pollWaitMs.most)) throw new Problem('INVALID_FIELDS', { fields: { waitMs: 'INVALID' } });
  return asked;
}

async function callerOf(parts: GatewayParts, request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
  const address = request.ip;
  const credentials = basicOf(request.headers.authorization);
  const known = credentials ? await authenticate(parts, { ...credentials, address }) : 'WRONG';
  if (typeof known !== 'string') return { ...known, address };
  if (known === 'SUSPENDED') throw new Problem('DEVICE_SUSPENDED');
  if (known === 'DROPPED') throw new Problem('TOO_MANY_REQUESTS', { retryAfterS: 10 });
  reply.header('www-authenticate', 'Basic realm="device", charset="UTF-8"');
  throw new Problem('DEVICE_KEY_WRONG');
}

function basicOf(header: string | undefined): { deviceId: string; key: string } | undefined {
  const encoded = /^Basic ([A-Za-z0-9+/=]{1,1024})$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const bytes = Buffer.from(encoded, 'base64');
  const colon = bytes.indexOf(':');
  // Copies the strings: a slice of the header would keep the key in memory along with the id.
  return { deviceId: bytes.subarray(0, colon).toString(), key: bytes.subarray(colon + 1).toString() };
}

/** The body is passed on unparsed; form content types are rejected. */
function readBytes(door: FastifyInstance): void {
  door.removeAllContentTypeParsers();
  const types = ['application/json', 'application/octet-stream', 'text/plain'];
  door.addContentTypeParser(types, { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    const encoding = request.headers['content-encoding'] ?? 'identity';
    if (encoding !== 'identity') throw new Problem('UNSUPPORTED_MEDIA_TYPE');
    return body;
  });
}

function problemOf({ reason, message, faults }: Refusal): Problem {
  const reasons: Partial<Record<Refusal['reason'], Reason>> = {
    TOPIC_UNKNOWN: 'RESOURCE_NOT_FOUND',
    MALFORMED: 'MALFORMED',
    SCHEMA_BROKEN: 'SCHEMA_BROKEN',
    TOO_LARGE: 'TOO_LARGE',
    COMMAND_NOT_FOUND: 'COMMAND_NOT_FOUND',
    LOG_REQUEST_NOT_FOUND: 'LOG_REQUEST_NOT_FOUND',
    NOT_KEPT: 'UNAVAILABLE',
  };
  return new Problem(reasons[reason] ?? 'INVALID_FIELDS', {
    message,
    ...(faults && { context: { faults } }),
  });
}
