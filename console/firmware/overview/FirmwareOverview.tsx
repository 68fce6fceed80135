import { useParams } from '@tanstack/react-router';
import { useRead } from '#console/core/api.ts';
import { useDeviceCountsLive } from '#console/core/live/useDevicesLive.ts';
import { FirmwareTabs } from '#console/firmware/FirmwareTabs.tsx';
import { useUnfinishedRollouts } from '#console/firmware/rollouts/useUnfinishedRollouts.ts';
import { Columns, Screen } from '#console/ui/screen/Screen.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { listBundleNames, listBundles } from '#contract/bundle.ts';
import { channelsMax, listChannels } from '#contract/channel.ts';
import { componentsMax, listComponents } from '#contract/component.ts';
import { readStats } from '#contract/stats.ts';
import { ClassFirmware } from './ClassFirmware.tsx';
import { FirstUpdate } from './FirstUpdate.tsx';
import css from './firmwareOverview.module.css';
import { firstUpdate } from './firstUpdateSteps.ts';
import { NewestBundles, NewestVersions, newestMax } from './NewestPanels.tsx';
import { whatRuns } from './whatRuns.ts';

/** An overview of what runs where; before the first update, the steps towards it. */
export function FirmwareOverview() {
  const { projectId } = useParams({ from: '/shell/projects/$projectId' });
  useDeviceCountsLive();
  return (
    <Screen title="Firmware" tabs={<FirmwareTabs projectId={projectId} />}>
      <Overview projectId={projectId} />
    </Screen>
  );
}

function Overview({ projectId }: { projectId: string }) {
  const stats = useRead(readStats, { params: { projectId } });
  const components = useRead(listComponents, { query: { projectId, limit: componentsMax } });
  const bundles = useRead(listBundleNames, { query: { projectId } });
  const newest = useRead(listBundles, { query: { projectId, limit: newestMax } });
  const channels = useRead(listChannels, { query: { projectId, limit: channelsMax } });
  const rollouts = useUnfinishedRollouts(projectId);
  const reads = [stats, components, bundles, newest, channels];
  const failed = reads.find(({ data, error }) => !data && error);
  if (failed) return <ReadState read={failed} what="Firmware" />;
  if (!stats.data || !components.data || !bundles.data || !newest.data || !channels.data)
    return <Skeleton shape="cards" lines={3} />;
  const steps = firstUpdate({
    classes: stats.data.devices,
    components: components.data.items,
    bundles: bundles.data,
    channels: channels.data.items,
  });
  const isOnTheWay = steps.some(({ isDone }) => !isDone);
  if (components.data.total === 0 && bundles.data.length === 0)
    return <FirstUpdate projectId={projectId} steps={steps} />;
  const classes = whatRuns(stats.data.devices, bundles.data, channels.data.items);
  return (
    <Columns
      side={
        <>
          <NewestVersions projectId={projectId} components={components.data} />
          <NewestBundles projectId={projectId} bundles={newest.data} />
        </>
      }
    >
      {isOnTheWay && <FirstUpdate projectId={projectId} steps={steps} isPanel />}
      <div className={css.stack}>
        {classes.map(one => (
          <ClassFirmware key={one.deviceClass} projectId={projectId} of={one} rollouts={rollouts} />
        ))}
      </div>
    </Columns>
  );
}
