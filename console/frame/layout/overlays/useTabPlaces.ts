import { useNavigate, useParams } from '@tanstack/react-router';
import type { Choice } from './useFound.ts';

/** Screens of a project behind the tabs of a place, which the rail does not list. */
const tabs = [
  { label: 'Device classes', at: 'device_classes' },
  { label: 'Firmware › Channels', at: 'channels' },
  { label: 'Firmware › Bundles', at: 'bundles' },
  { label: 'Firmware › Components', at: 'components' },
  { label: 'Apps › Other Clients', at: 'other_clients', also: 'API keys' },
  { label: 'Apps › App Proxy', at: 'proxy_routes', also: 'proxy routes' },
  { label: 'Users › Homes', at: 'homes' },
];

/** They are found by name only, so that the list of an empty field stays short. */
export function useTabPlaces(typed: string): (Choice & { also?: string })[] {
  const navigate = useNavigate();
  const { projectId } = useParams({ strict: false }) as { projectId?: string };
  if (projectId === undefined || typed === '') return [];
  return tabs.map(({ at, ...tab }) => ({
    ...tab,
    id: at,
    group: 'Go to',
    isOffered: true,
    run: () => void navigate({ to: `/projects/${projectId}/${at}` }),
  }));
}
