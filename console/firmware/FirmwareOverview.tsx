import { useParams } from '@tanstack/react-router';
import { Screen } from '#console/ui/screen/Screen.tsx';
import { FirmwareTabs } from './FirmwareTabs.tsx';

/** What runs where, at a glance. */
export function FirmwareOverview() {
  const { projectId } = useParams({ from: '/shell/projects/$projectId' });
  return (
    <Screen title="Firmware" tabs={<FirmwareTabs projectId={projectId} />}>
      {null}
    </Screen>
  );
}
