import { Tabs } from '#console/ui/screen/Tabs.tsx';

/** End users, and the homes they share. */
export function PeopleTabs({ projectId }: { projectId: string }) {
  const params = { projectId };
  return (
    <Tabs
      label="Users and homes"
      tabs={[
        { label: 'Users', to: '/projects/$projectId/users', params },
        { label: 'Homes', to: '/projects/$projectId/homes', params },
      ]}
    />
  );
}
