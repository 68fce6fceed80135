import type { LinkProps } from '@tanstack/react-router';
import { Tabs } from '#console/ui/screen/Tabs.tsx';

const tabs = [
  { label: 'User Clients', to: '/projects/$projectId/apps' },
  { label: 'Other Clients', to: '/projects/$projectId/other_clients' },
  { label: 'App Proxy', to: '/projects/$projectId/proxy_routes' },
] as const;

/** The inner tab bar for everything that connects, except devices. */
export function ClientTabs({ projectId }: { projectId: string }) {
  const links = tabs.map(tab => ({ ...tab, params: { projectId } }));
  return <Tabs label="Apps" tabs={links as (LinkProps & { label: string })[]} />;
}
