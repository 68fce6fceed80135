import { skipToken, useQuery } from '@tanstack/react-query';
import { type LinkProps, useMatches, useParams } from '@tanstack/react-router';
import { useRead } from '#console/core/api.ts';
import { call, readOptions } from '#console/core/client.ts';
import { type Device, readDevice } from '#contract/device.ts';
import { type Project, readProject } from '#contract/project.ts';

export interface Crumb {
  label: string;
  link: LinkProps;
}

interface CrumbFrom {
  params: Record<string, string>;
  loaderData: unknown;
  /** The project of the route, with its current name. */
  project: Project | undefined;
  /** The device of the screen. */
  device: Device | undefined;
  /** The names of the items in the address, once known, by route parameter. */
  names: Partial<Record<Named, string | undefined>>;
}

/** The items shown by name, and the call that reads each. Imported on demand, as everyone loads the first file. */
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
  /** In addition to those of the route itself. */
  params?: Record<string, string>;
}

type CrumbOf = string | ((from: CrumbFrom) => string | undefined);

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The route's label in the breadcrumbs and in the window title; a function if the label is the name of an item. */
    crumb?: CrumbOf;
    /** Parents that are not part of its address. */
    listedIn?: readonly Above[] | ((from: CrumbFrom) => readonly Above[]);
    /** True: requires a session. */
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
    queryKey: ['call', param],
    staleTime: Number.POSITIVE_INFINITY,
    enabled: id !== undefined,
    queryFn: (): Promise<ReadsName> => namedBy[param](),
  });
  const params = { [param]: id ?? '' };
  const { data } = useQuery({
    queryKey: endpoint ? readOptions(endpoint, { params } as never).queryKey : ['no call', param],
    // The call stays known when the item has been left.
    queryFn:
      endpoint && id !== undefined
        ? ({ signal }): Promise<{ name?: string; email?: string | undefined; sourcePath?: string }> =>
            call(endpoint, { params, signal } as never)
        : skipToken,
  });
  // For some users only the address is known; a proxy route has no name except its path.
  return data?.name || data?.email || data?.sourcePath;
}

type ReadsName = Awaited<ReturnType<(typeof namedBy)[Named]>>;
