import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useRead } from '#console/api.ts';
import { deviceName } from '#console/devices/deviceWords.ts';
import { ofOwn, session } from '#console/session.ts';
import { listDevices } from '#contract/device.ts';
import { listDeviceClasses } from '#contract/deviceClass.ts';
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

/** What the server finds by what was typed, once the typing pauses: devices and classes of the project, and projects. */
export function useFound(typed: string): Choice[] {
  const navigate = useNavigate();
  const { projectId = '' } = useParams({ strict: false }) as { projectId?: string };
  const search = usePaused(typed);
  const isIn = projectId !== '' && search !== '';
  const query = { limit: eachMax, ...(search && { search }) };
  const devices = useRead(listDevices, { query: { ...query, projectId } }, { enabled: isIn }).data;
  const classes = useRead(listDeviceClasses, { params: { projectId }, query }, { enabled: isIn }).data;
  const isVerified = session.get()?.developer.verified === true;
  const projects = useRead(listProjects, { query: { ...ofOwn(), ...query } }, { enabled: isVerified }).data;
  return [
    ...(isIn ? (devices?.items ?? []) : []).map(device => ({
      id: device.id,
      label: device.name && device.tag ? `${device.name} · ${device.tag}` : deviceName(device),
      group: 'Devices',
      run: () =>
        void navigate({
          to: '/projects/$projectId/devices/$deviceId',
          params: { projectId, deviceId: device.id },
        }),
    })),
    ...(isIn ? (classes?.items ?? []) : []).map(({ id: classId }) => ({
      id: `class ${classId}`,
      label: classId,
      group: 'Device classes',
      run: () =>
        void navigate({
          to: '/projects/$projectId/device_classes/$classId/instances',
          params: { projectId, classId },
        }),
    })),
    ...(projects?.items ?? []).map(({ id, name }) => ({
      id,
      label: name,
      group: 'Projects',
      run: () => void navigate({ to: '/projects/$projectId', params: { projectId: id } }),
    })),
  ];
}

function usePaused(typed: string): string {
  const [search, setSearch] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed), searchAfterMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return search;
}
