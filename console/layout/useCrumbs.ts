import { skipToken, useQuery } from '@tanstack/react-query';
import { type LinkProps, useMatches, useParams } from '@tanstack/react-router';
import { call, readOptions, useRead } from '#console/api.ts';
import { type Device, readDevice } from '#contract/device.ts';
import { type Project, readProject } from '#contract/project.ts';

export interface Crumb {
  label: string;
  link: LinkProps;
}

interface CrumbFrom {
  params: Record<string, string>;
  loaderData: unknown;
  /** The one the route lies in, as it is called now. */
  project: Project | undefined;
  /** The one whose screen it is. */
  device: Device | undefined;
  /** What the things in the address are called, once that is known: by the parameter that names them. */
  names: Partial<Record<Named, string | undefined>>;
}

/** What has its name as its word, and the call that reads it: fetched where it is needed, as the first file is read by all. */
const namedBy = {
  componentId: () => import('#contract/component.ts').then(({ readComponent }) => readComponent),
  versionId: () =>
    import('#contract/componentVersion.ts').then(({ readComponentVersion }) => readComponentVersion),
  bundleId: () => import('#contract/bundle.ts').then(({ readBundle }) => readBundle),
  channelId: () => import('#contract/channel.ts').then(({ readChannel }) => readChannel),
  userId: () => import('#contract/user.ts').then(({ readUser }) => readUser),
  homeId: () => import('#contract/home.ts').then(({ readHome }) => readHome),
  keyId: () => import('#contract/key.ts').then(({ readKey }) => readKey),
  routeId: () => import('#contract/proxyRoute.ts').then(({ readProxyRoute }) => readProxyRoute),
} as const;

type Named = keyof typeof namedBy;

interface Above {
  label: string;
  to: string;
  /** Beside those of the route itself. */
  params?: Record<string, string>;
}

type CrumbOf = string | ((from: CrumbFrom) => string | undefined);

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The route's word in the breadcrumbs and in the window's title; a function where the thing's name is the word. */
    crumb?: CrumbOf;
    /** The places above it that are no part of its address. */
    listedIn?: readonly Above[] | ((from: CrumbFrom) => readonly Above[]);
    /** True: nobody sees it without a session. */
    guarded?: boolean;
  }
}

/** From the outermost place to the current one. */
export function useCrumbs(): readonly Crumb[] {
  const { projectId = '', deviceId = '', ...ids } = useParams({ strict: false });
  const { data: project } = useRead(readProject, { params: { projectId } }, { enabled: projectId !== '' });
  const { data: device } = useRead(readDevice, { params: { deviceId } }, { enabled: deviceId !== '' });
  const names = useNames(ids);
  return useMatches().flatMap(({ staticData: { crumb, listedIn = [] }, params, loaderData, pathname }) => {
    const from = { params, loaderData, project, device, names };
    const label = typeof crumb === 'function' ? crumb(from) : crumb;
    const places = typeof listedIn === 'function' ? listedIn(from) : listedIn;
    const above = places.map(({ label, to, params: more }) => ({
      label,
      link: { to, params: { ...params, ...more } } as LinkProps,
    }));
    return label ? [...above, { label, link: { to: pathname } as LinkProps }] : [];
  });
}

function useNames(ids: Partial<Record<string, string>>): CrumbFrom['names'] {
  return {
    componentId: useName('componentId', ids),
    versionId: useName('versionId', ids),
    bundleId: useName('bundleId', ids),
    channelId: useName('channelId', ids),
    userId: useName('userId', ids),
    homeId: useName('homeId', ids),
    keyId: useName('keyId', ids),
    routeId: useName('routeId', ids),
  };
}

function useName(param: Named, { [param]: id }: Partial<Record<string, string>>): string | undefined {
  const { data: endpoint } = useQuery({
    ...{ queryKey: ['call', param], staleTime: Number.POSITIVE_INFINITY, enabled: id !== undefined },
    queryFn: (): Promise<ReadsName> => namedBy[param](),
  });
  const params = { [param]: id ?? '' };
  const { data } = useQuery({
    queryKey: endpoint ? readOptions(endpoint, { params } as never).queryKey : ['no call', param],
    queryFn: endpoint
      ? ({ signal }): Promise<{ name?: string; email?: string | undefined; sourcePath?: string }> =>
          call(endpoint, { params, signal } as never)
      : skipToken,
  });
  // Of a person perhaps only the address is known; a route has no other name than its path.
  return data?.name || data?.email || data?.sourcePath;
}

type ReadsName = Awaited<ReturnType<(typeof namedBy)[Named]>>;
