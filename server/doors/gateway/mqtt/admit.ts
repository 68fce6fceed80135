import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type ConnackCode, type ConnectPacket, connackCodes, type Will } from '#mqtt/mqttPacket.ts';
import { connectBurst, connectEveryS } from '#rules/devices/gatewayLimits.ts';
import { prefixOf, upTopic } from '#server/classes/frames/topics.ts';
import type { Admission } from '#server/devices/keys/admission.ts';
import type { Credential } from '#server/devices/keys/credential.ts';
import { authenticate, type NotLetIn } from '#server/doors/gateway/entry/authenticate.ts';
import type { GatewayParts } from '#server/doors/gateway/parts.ts';
import { DatabaseUnavailable } from '#server/infra/db/sql.ts';
import type { Connection } from './connection.ts';
import { MqttSession } from './mqttSession.ts';

const clientIdMax = 128;
/** How often a device can connect. */
const comingRate = { perS: 1 / connectEveryS, burst: connectBurst };
const turnWithinMs = 5_000;
const utf8 = new TextDecoder();

const codes: Record<NotLetIn, ConnackCode> = {
  WRONG: connackCodes.badCredentials,
  DROPPED: connackCodes.serverUnavailable,
  SUSPENDED: connackCodes.notAuthorized,
};

/**
 * Handles CONNECT step by step: validates it, authenticates the device, and registers the connection. Returns
 * the session, or the CONNACK code.
 */
export async function admit(
  parts: GatewayParts,
  packet: ConnectPacket,
  connection: Connection,
): Promise<MqttSession | ConnackCode> {
  const { username: deviceId = '', password, clientId, cleanSession, will } = packet;
  const { address } = connection.transport;
  try {
    const known = await authenticate(parts, { deviceId, key: utf8.decode(password), address });
    if (typeof known === 'string') return codes[known];
    // Without a client id, the client cannot ask for a previous session ([MQTT-3.1.3-8]).
    if (clientId.length > clientIdMax || (clientId === '' && !cleanSession)) {
      parts.notes.rejected(known.admission, 'CLIENT_ID', address);
      return connackCodes.identifierRejected;
    }
    if (will && !isOwn(deviceId, will)) {
      parts.notes.rejected(known.admission, 'TOPIC_FORBIDDEN', address);
      return connackCodes.notAuthorized;
    }
    if (!(await hasTurn(parts, known.admission))) return connackCodes.serverUnavailable;
    return connection.isOver
      ? connackCodes.serverUnavailable
      : await enter(parts, connection, { ...known, clientId, will });
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error;
    return connackCodes.serverUnavailable;
  }
}

/**
 * Throttles devices that reconnect in a loop, or two clients that take over from each other: each attempt costs
 * rows in the log and the timeline.
 */
async function hasTurn({ platform, comings, notes }: GatewayParts, device: Admission): Promise<boolean> {
  if (!platform.config.rateLimits) return true;
  const nowMs = performance.now();
  const bucket = comings.of(device.id, comingRate, nowMs);
  const waitMs = bucket.waitMs(nowMs);
  if (waitMs === 0 || waitMs <= turnWithinMs) bucket.take(nowMs);
  if (waitMs === 0) return true;
  notes.connectsLimited(device);
  await pause(Math.min(waitMs, turnWithinMs));
  return waitMs <= turnWithinMs;
}

/** A will is processed as an ordinary message of the device; its QoS and retain flag are ignored. */
function isOwn(deviceId: string, { topic }: Will): boolean {
  const prefix = prefixOf(deviceId);
  return topic.startsWith(prefix) && upTopic(topic.slice(prefix.length)) !== undefined;
}

/**
 * Subscribes to notices about the device before checking its key, so that no change is missed between
 * authentication and registration.
 */
async function enter(
  parts: GatewayParts,
  connection: Connection,
  given: { admission: Admission; credential: Credential; clientId: string; will: Will | undefined },
): Promise<MqttSession | ConnackCode> {
  const { admission, credential, will } = given;
  const clientId = given.clientId || `unnamed-${randomUUID()}`;
  const device = parts.devices.enter(admission);
  const session = new MqttSession(parts, connection, { device, clientId, credential, will });
  device.sessions.add(session);
  const entered = await parts.connectionRecord.arrive(session).catch((error: unknown) => {
    parts.devices.leave(device, session);
    throw error;
  });
  if (entered === undefined) return session;
  parts.devices.leave(device, session);
  // The client has disconnected.
  if (entered === 'LEFT') return connackCodes.serverUnavailable;
  parts.notes.rejected(admission, entered, session.address);
  return entered === 'SUSPENDED' ? connackCodes.notAuthorized : connackCodes.badCredentials;
}
