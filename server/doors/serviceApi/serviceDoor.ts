import type { FastifyRequest } from 'fastify';
import type { AnyEndpoint, Capability, Endpoint } from '#contract/endpoint.ts';
import { Problem } from '#contract/problem.ts';
import { callRates } from '#contract/project.ts';
import { type Found, type Ids, notFound, type Resource } from '#server/api/access/access.ts';
import type { Door, KeyCaller } from '#server/api/endpoints/apiDoor.ts';
import { type Limits, rateOf } from '#server/api/endpoints/limits.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { findCapabilities, findKey } from '#server/apps/keys/findKey.ts';
import type { Platform } from '#server/infra/platform.ts';

/** Calls per second and burst size for an address without a valid key. */
const addressRate = { perS: 5, burst: 50 };

interface ServiceDoorParts {
  resources: Readonly<Record<string, Resource>>;
  limits: Limits;
}

/** The service API: back ends with a key, whose calls each require one capability. */
export function serviceDoor(platform: Platform, { resources, limits }: ServiceDoorParts): Door {
  return {
    traffic: 'serviceCalls',
    async callerOf(endpoint, request, now) {
      const key = await keyOf(platform, endpoint, request, now).catch(error => {
        limits.takeOfAddress('service', request.ip, addressRate, now.getTime());
        throw error;
      });
      limits.take(`keys ${key.projectId}`, rateOf(key.projectCallRate, callRates.project), now.getTime());
      return { key };
    },
    async recheck({ endpoint: { capability }, key, now }, db) {
      const found = key && (await findCapabilities(db, key.id, now));
      if (!found) throw new Problem('KEY_REFUSED');
      if (capability && !found.includes(capability)) throw missing(capability);
    },
    authorize: (call, ids, look) => authorize(call, ids, resources, look),
    idempotencyOwner: ({ key }) => key?.id,
  };
}

/**
 * Finds the key of a call. A refusal names the missing capability, and is recorded in the HTTP log and in the key's
 * use.
 */
async function keyOf(
  platform: Platform,
  { capability }: AnyEndpoint,
  request: FastifyRequest,
  now: Date,
): Promise<KeyCaller> {
  const secret = /^Bearer +(\S{1,200})$/i.exec(request.headers.authorization ?? '')?.[1];
  const found = secret && (await findKey(platform, { secret, address: request.ip, now }));
  if (!found) throw new Problem('KEY_REFUSED');
  const { caller, previousHash } = found;
  request.loggedCaller = { projectId: caller.projectId, key: caller };
  if (capability) request.keyUsed = { key: caller, capability, previousHash };
  if (!found.isValid) throw new Problem('KEY_REFUSED');
  if (!found.isAddressAllowed) throw new Problem('ADDRESS_NOT_ALLOWED');
  if (capability && !found.capabilities.includes(capability)) throw missing(capability);
  return caller;
}

function missing(capability: Capability): Problem {
  const message = `This key lacks ${capability}. Turn it on, or use another key.`;
  return new Problem('MISSING_CAPABILITY', { message, context: { capability } });
}

async function authorize(
  { endpoint, key, now }: Call,
  ids: Ids,
  resources: ServiceDoorParts['resources'],
  { db, lock }: { db: Call['db']; lock: boolean },
): Promise<Found | undefined> {
  const { access } = endpoint as Endpoint;
  if (typeof access !== 'object' || !key) throw new Error(`${endpoint.name} is no call for keys.`);
  const { projectId, orgId } = key;
  if (access.of === 'project') {
    // The key has already found the project.
    if (ids.projectId !== undefined && ids.projectId !== projectId) throw new Problem('PROJECT_NOT_FOUND');
    return { projectId, orgId, role: 'developer', row: { id: projectId } };
  }
  const resource = resources[access.of];
  if (!resource) throw new Error(`No slice finds ${access.of}.`);
  const found = await resource.find(db, ids, { developerId: '', projectIds: [projectId], lock, now });
  if (found?.projectId !== projectId) throw notFound(resource);
  return { ...found, role: 'developer' };
}
