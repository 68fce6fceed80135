import { queryOptions, useQuery } from '@tanstack/react-query';
import { CallFailed } from '#contract/client.ts';
import { findOrganization, type Organization, readOrganization } from '#contract/organization.ts';
import { reasons } from '#contract/problem.ts';
import { orgInPath } from './basepath.ts';
import { call, queryClient } from './client.ts';
import { shared } from './clientStorage.ts';

/** Consoles of several organizations may share an origin. */
const rememberedKey = `mooring.organization.${orgInPath ?? ''}`;

const organization = queryOptions<Organization, CallFailed>({
  queryKey: ['organization'],
  staleTime: Number.POSITIVE_INFINITY,
  retry: (count, { reason }) => count < 2 && reason === 'ORG_LOOKUP_FAILED',
  queryFn: async () => {
    const found = await lookUp().catch(lookUpFailed);
    shared.write(rememberedKey, found.id);
    return found;
  },
});

async function lookUp(): Promise<Organization> {
  if (orgInPath !== undefined) return call(readOrganization, { params: { org: orgInPath } });
  const [found] = await call(findOrganization, { query: { devConsoleBaseUrl: window.location.origin } });
  if (found) return found;
  const message = 'No organization uses this console address.';
  throw new CallFailed({ reason: 'ORG_NOT_FOUND', message }, { status: 404 });
}

/** "Not found" is an answer; any other error means that the organization is not known. */
function lookUpFailed(error: unknown): never {
  if (!(error instanceof CallFailed) || error.reason === 'ORG_NOT_FOUND') throw error;
  const [, message] = reasons.ORG_LOOKUP_FAILED;
  const { status, requestId, retryAfterS } = error;
  throw new CallFailed({ reason: 'ORG_LOOKUP_FAILED', message }, { status, requestId, retryAfterS });
}

export const readCurrentOrganization = () => queryClient.ensureQueryData(organization);

/** The organization of this console; until it has been looked up, the one from the last time. */
export const presumedOrganizationId = (): string | undefined =>
  queryClient.getQueryData(organization.queryKey)?.id ?? shared.read(rememberedKey);

/** The organization of this console. */
export const useOrganization = () => useQuery(organization);
