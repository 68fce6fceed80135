import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useRead } from '#console/core/api.ts';
import { ofOwn, session } from '#console/core/session.ts';
import { deviceName } from '#console/devices/deviceWords.ts';
import { personName } from '#console/ui/links/personWords.ts';
import { listApps } from '#contract/app.ts';
import { listBundles } from '#contract/bundle.ts';
import { listChannels } from '#contract/channel.ts';
import { listComponents } from '#contract/component.ts';
import { type DeviceRow, listDevices } from '#contract/device.ts';
import { listDeviceClasses } from '#contract/deviceClass.ts';
import { type Home, listHomes } from '#contract/home.ts';
import { listKeys } from '#contract/key.ts';
import type { Page } from '#contract/paging.ts';
import { listProjects } from '#contract/project.ts';
import { listProxyRoutes } from '#contract/proxyRoute.ts';
import { listSmartModules } from '#contract/smartModule.ts';
import { listUsers, type UserRow } from '#contract/user.ts';

/** Something that can be reached from the palette. */
export interface Choice {
  id: string;
  label: string;
  group: string;
  keys?: string | undefined;
  /** Available without a search. */
  isOffered?: boolean;
  run: () => void;
}

const searchAfterMs = 200;
const eachMax = 8;

/** What the server finds for the typed text once typing pauses: rows of the project, and projects. */
export function useFound(typed: string): { found: Choice[]; isSearching: boolean } {
  const navigate = useNavigate();
  const { projectId = '' } = useParams({ strict: false }) as { projectId?: string };
  const search = usePaused(typed);
  const isIn = projectId !== '' && search !== '';
  const isVerified = session.get()?.developer.verified === true;
  const query = { ...ofOwn(), limit: eachMax, ...(search && { search }) };
  const rows = useRows(projectId, search, isIn);
  const projects = useRead(listProjects, { query }, { enabled: isVerified });
  /** Rows with their names and addresses; `at` is appended to the project's address. */
  const found = <Row extends { id: string }>(
    group: string,
    { data: rows }: { data: Page<Row> | undefined },
    at: (row: Row) => string,
    label: (row: Row) => string,
  ): Choice[] =>
    (isIn ? (rows?.items ?? []) : []).map(row => ({
      id: `${group} ${row.id}`,
      label: label(row),
      group,
      run: () => void navigate({ to: `/projects/${projectId}${at(row)}` }),
    }));
  const all = [
    ...found('Devices', rows.devices, ({ id }) => `/devices/${id}`, paletteName),
    ...found('Device classes', rows.classes, ({ id }) => `/device_classes/${id}/instances`, idOf),
    ...found('Components', rows.components, ({ id }) => `/components/${id}`, nameOf),
    ...found('Bundles', rows.bundles, ({ id }) => `/bundles/${id}`, nameOf),
    ...found(
      'Channels',
      rows.channels,
      ({ id }) => `/channels/${id}`,
      row => `${row.name} · ${row.deviceClass}`,
    ),
    ...found('Apps', rows.apps, ({ id }) => `/apps/${id}`, idOf),
    ...found('Other clients', rows.keys, ({ id }) => `/other_clients/${id}`, nameOf),
    ...found(
      'App Proxy',
      rows.routes,
      ({ id }) => `/proxy_routes/${id}`,
      ({ sourcePath }) => sourcePath,
    ),
    ...found('Smart modules', rows.modules, ({ id }) => `/smart_modules/${id}`, idOf),
    ...found('Users', rows.users, ({ id }) => `/users/${id}`, userLabel),
    ...found('Homes', rows.homes, ({ id }) => `/homes/${id}`, homeLabel),
    ...(projects.data?.items ?? []).map(({ id, name }) => ({
      id,
      label: name,
      group: 'Projects',
      run: () => void navigate({ to: '/projects/$projectId', params: { projectId: id } }),
    })),
  ];
  const reads = [...Object.values(rows), projects];
  return { found: all, isSearching: typed !== search || reads.some(({ isLoading }) => isLoading) };
}

/** The rows of a project that the search finds. */
function useRows(projectId: string, search: string, enabled: boolean) {
  const own = { limit: eachMax, search };
  const query = { ...own, projectId };
  return {
    devices: useRead(listDevices, { query }, { enabled }),
    classes: useRead(listDeviceClasses, { params: { projectId }, query: own }, { enabled }),
    components: useRead(listComponents, { query }, { enabled }),
    bundles: useRead(listBundles, { query }, { enabled }),
    channels: useRead(listChannels, { query }, { enabled }),
    routes: useRead(listProxyRoutes, { query }, { enabled }),
    apps: useRead(listApps, { params: { projectId }, query: own }, { enabled }),
    keys: useRead(listKeys, { params: { projectId }, query: own }, { enabled }),
    modules: useRead(listSmartModules, { params: { projectId }, query: own }, { enabled }),
    users: useRead(listUsers, { query }, { enabled }),
    homes: useRead(listHomes, { query }, { enabled }),
  };
}

const idOf = ({ id }: { id: string }) => id;
const nameOf = ({ name }: { name: string }) => name;
const homeLabel = ({ id, name }: Home) => `${name} · home ${id}`;

function userLabel(user: UserRow): string {
  return user.name && user.email ? `${user.name} · ${user.email}` : personName(user);
}

function paletteName(device: DeviceRow): string {
  return device.name && device.tag ? `${device.name} · ${device.tag}` : deviceName(device);
}

function usePaused(typed: string): string {
  const [search, setSearch] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed), searchAfterMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return search;
}
