import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useRead } from '#console/api.ts';
import { deviceName } from '#console/devices/deviceWords.ts';
import { ofOwn, session } from '#console/session.ts';
import { listBundles } from '#contract/bundle.ts';
import { listChannels } from '#contract/channel.ts';
import { listComponents } from '#contract/component.ts';
import { type DeviceRow, listDevices } from '#contract/device.ts';
import { listDeviceClasses } from '#contract/deviceClass.ts';
import type { Page } from '#contract/paging.ts';
import { listProjects } from '#contract/project.ts';

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
  const own = { limit: eachMax, ...(search && { search }) };
  const query = { ...own, projectId };
  const params = { projectId };
  const isVerified = session.get()?.developer.verified === true;
  const devices = useRead(listDevices, { query }, { enabled: isIn }).data;
  const classes = useRead(listDeviceClasses, { params, query: own }, { enabled: isIn }).data;
  const components = useRead(listComponents, { query }, { enabled: isIn }).data;
  const bundles = useRead(listBundles, { query }, { enabled: isIn }).data;
  const channels = useRead(listChannels, { query }, { enabled: isIn }).data;
  const projects = useRead(listProjects, { query: { ...ofOwn(), ...own } }, { enabled: isVerified }).data;
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
    ...found(
      'Device classes',
      classes,
      ({ id }) => `/device_classes/${id}/instances`,
      ({ id }) => id,
    ),
    ...found(
      'Components',
      components,
      ({ id }) => `/components/${id}`,
      ({ name }) => name,
    ),
    ...found(
      'Bundles',
      bundles,
      ({ id }) => `/bundles/${id}`,
      ({ name }) => name,
    ),
    ...found(
      'Channels',
      channels,
      ({ id }) => `/channels/${id}`,
      row => `${row.name} · ${row.deviceClass}`,
    ),
    ...(projects?.items ?? []).map(({ id, name }) => ({
      id,
      label: name,
      group: 'Projects',
      run: () => void navigate({ to: '/projects/$projectId', params: { projectId: id } }),
    })),
  ];
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
