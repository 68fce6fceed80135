import { useQueries } from '@tanstack/react-query';
import { type LinkProps, useMatches, useParams } from '@tanstack/react-router';
import { readOptions, useRead } from '#console/api.ts';
import { readBundle } from '#contract/bundle.ts';
import { readChannel } from '#contract/channel.ts';
import { readComponent } from '#contract/component.ts';
import { readComponentVersion } from '#contract/componentVersion.ts';
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
  names: Partial<Record<Named, string>>;
}

/** What has its name as its word, and where to read it. */
const namedBy = {
  componentId: readComponent,
  versionId: readComponentVersion,
  bundleId: readBundle,
  channelId: readChannel,
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
  const known = Object.keys(namedBy) as Named[];
  const asked = known.flatMap(param => {
    const id = ids[param];
    return id === undefined ? [] : [{ param, id }];
  });
  const reads = useQueries({
    queries: asked.map(({ param, id }) => readOptions(namedBy[param], { params: { [param]: id } as never })),
  });
  return Object.fromEntries(asked.map(({ param }, at) => [param, reads[at]?.data?.name]));
}
