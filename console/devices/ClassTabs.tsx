import type { LinkProps } from '@tanstack/react-router';
import { Tabs } from '#console/ui/screen/Tabs.tsx';

const tabs = [
  { label: 'Class', to: '/projects/$projectId/device_classes/$classId/overview' },
  { label: 'Instances', to: '/projects/$projectId/device_classes/$classId/instances' },
  { label: 'Config', to: '/projects/$projectId/device_classes/$classId/advanced' },
] as const;

/** The inner tab bar of the devices screens. */
export function ClassTabs({ params }: { params: { projectId: string; classId: string } }) {
  const links = tabs.map(tab => ({ ...tab, params }));
  return <Tabs label="Device class" tabs={links as (LinkProps & { label: string })[]} />;
}
