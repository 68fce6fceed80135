import { queryOptions, useQuery } from '@tanstack/react-query';
import { CallFailed } from '#contract/client.ts';
import { findOrganization, readOrganization } from '#contract/organization.ts';
import { call, queryClient } from './api.ts';

const [, orgInPath] = /^\/orgs\/([^/]+)/.exec(window.location.pathname) ?? [];

/** Everything the router sees lies under the organization's path when the address names one. */
export const basepath = orgInPath ? `/orgs/${orgInPath}` : '/';

export const organizationKey = ['organization'];

const organization = queryOptions({
  queryKey: organizationKey,
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async () => {
    if (orgInPath) return call(readOrganization, { params: { org: decodeURIComponent(orgInPath) } });
    const [found] = await call(findOrganization, { query: { devConsoleBaseUrl: window.location.origin } });
    if (found) return found;
    const message = 'No organization uses this console address.';
    throw new CallFailed({ reason: 'ORG_NOT_FOUND', message }, { status: 404 });
  },
});

export const readCurrentOrganization = () => queryClient.ensureQueryData(organization);

/** The organization whose console this is. */
export const useOrganization = () => useQuery(organization);
