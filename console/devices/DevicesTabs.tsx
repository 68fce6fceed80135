import type { LinkProps } from '@tanstack/react-router';
import { Tabs } from '#console/ui/screen/Tabs.tsx';

const tabs = [
  { label: 'All devices', to: '/projects/$projectId/devices' },
  { label: 'Classes', to: '/projects/$projectId/device_classes' },
] as const;

/** The tab bar of a project's devices. */
export function DevicesTabs({ projectId }: { projectId: string }) {
  const links = tabs.map(tab => ({ ...tab, params: { projectId } }));
  return <Tabs label="Devices" tabs={links as (LinkProps & { label: string })[]} />;
}
