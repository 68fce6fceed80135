import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useRead } from '#console/api.ts';
import { deviceName } from '#console/devices/deviceWords.ts';
import { personName } from '#console/people/personWords.ts';
import { ofOwn, session } from '#console/session.ts';
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
  run: () => void;
}

const searchAfterMs = 200;
const eachMax = 8;

/** What the server finds by what was typed, once the typing pauses: rows of the project, and projects. */
export function useFound(typed: string): Choice[] {
  const navigate = useNavigate();
  const { projectId = '' } = useParams({ strict: false }) as { projectId?: string };
  const search = usePaused(typed);
  const isIn = projectId !== '' && search !== '';
  const isVerified = session.get()?.developer.verified === true;
  const query = { ...ofOwn(), limit: eachMax, ...(search && { search }) };
  const { devices, classes, components, bundles, channels, users, homes, ...clients } = useRows(
    projectId,
    search,
    isIn,
  );
  const projects = useRead(listProjects, { query }, { enabled: isVerified }).data;
  /** Rows with what they are called and where each is; `at` follows the project's address. */
  const found = <Row extends { id: string }>(
    group: string,
    rows: Page<Row> | undefined,
    at: (row: Row) => string,
    label: (row: Row) => string,
  ): Choice[] =>
    (isIn ? (rows?.items ?? []) : []).map(row => ({
      ...{ id: `${group} ${row.id}`, label: label(row), group },
      run: () => void navigate({ to: `/projects/${projectId}${at(row)}` }),
    }));
  return [
    ...found('Devices', devices, ({ id }) => `/devices/${id}`, paletteName),
    ...found('Device classes', classes, ({ id }) => `/device_classes/${id}/instances`, idOf),
    ...found('Components', components, ({ id }) => `/components/${id}`, nameOf),
    ...found('Bundles', bundles, ({ id }) => `/bundles/${id}`, nameOf),
    ...found(
      'Channels',
      channels,
      ({ id }) => `/channels/${id}`,
      row => `${row.name} · ${row.deviceClass}`,
    ),
    ...found('Apps', clients.apps, ({ id }) => `/apps/${id}`, idOf),
    ...found('Other clients', clients.keys, ({ id }) => `/other_clients/${id}`, nameOf),
    ...found(
      'App Proxy',
      clients.routes,
      ({ id }) => `/proxy_routes/${id}`,
      ({ sourcePath }) => sourcePath,
    ),
    ...found('Smart modules', clients.modules, ({ id }) => `/smart_modules/${id}`, idOf),
    ...found('Users', users, ({ id }) => `/users/${id}`, userLabel),
    ...found('Homes', homes, ({ id }) => `/homes/${id}`, homeLabel),
    ...(projects?.items ?? []).map(({ id, name }) => ({
      id,
      label: name,
      group: 'Projects',
      run: () => void navigate({ to: '/projects/$projectId', params: { projectId: id } }),
    })),
  ];
}

/** What a project has that the search finds. */
function useRows(projectId: string, search: string, enabled: boolean) {
  const own = { limit: eachMax, search };
  const query = { ...own, projectId };
  return {
    devices: useRead(listDevices, { query }, { enabled }).data,
    classes: useRead(listDeviceClasses, { params: { projectId }, query: own }, { enabled }).data,
    components: useRead(listComponents, { query }, { enabled }).data,
    bundles: useRead(listBundles, { query }, { enabled }).data,
    channels: useRead(listChannels, { query }, { enabled }).data,
    routes: useRead(listProxyRoutes, { query }, { enabled }).data,
    apps: useRead(listApps, { params: { projectId }, query: own }, { enabled }).data,
    keys: useRead(listKeys, { params: { projectId }, query: own }, { enabled }).data,
    modules: useRead(listSmartModules, { params: { projectId }, query: own }, { enabled }).data,
    users: useRead(listUsers, { query }, { enabled }).data,
    homes: useRead(listHomes, { query }, { enabled }).data,
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
