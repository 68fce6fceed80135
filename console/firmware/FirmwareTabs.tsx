import type { LinkProps } from '@tanstack/react-router';
import { Tabs } from '#console/ui/screen/Tabs.tsx';

const tabs = [
  { label: 'Overview', to: '/projects/$projectId/firmware' },
  { label: 'Channels', to: '/projects/$projectId/channels' },
  { label: 'Bundles', to: '/projects/$projectId/bundles' },
  { label: 'Components', to: '/projects/$projectId/components' },
] as const;

/** The inner tab bar of firmware. */
export function FirmwareTabs({ projectId }: { projectId: string }) {
  const links = tabs.map(tab => ({ ...tab, params: { projectId } }));
  return <Tabs label="Firmware" tabs={links as (LinkProps & { label: string })[]} />;
}
