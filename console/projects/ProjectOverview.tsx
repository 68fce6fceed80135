import { Link, useParams } from '@tanstack/react-router';
import { useRead } from '#console/api.ts';
import { useDeviceCountsLive } from '#console/devices/useDevicesLive.ts';
import { countOf } from '#console/firmware/firmwareWords.ts';
import { ClassesPanel } from '#console/fleet/ClassesPanel.tsx';
import { FindingsPanel } from '#console/fleet/FindingsPanel.tsx';
import { FleetBand } from '#console/fleet/FleetBand.tsx';
import { MessagesPanel } from '#console/fleet/MessagesPanel.tsx';
import { roleWords } from '#console/membership/roleWords.ts';
import { useMay } from '#console/membership/useMay.ts';
import { NextSteps } from '#console/onboarding/NextSteps.tsx';
import { useAnyDevice } from '#console/onboarding/useAnyDevice.ts';
import { BothSimulators } from '#console/simulators/BothSimulators.tsx';
import { useDeviceSimulator } from '#console/simulators/useDeviceSimulator.ts';
import { Button } from '#console/ui/Button.tsx';
import { CopyText } from '#console/ui/CopyText.tsx';
import { FormError } from '#console/ui/form/FormError.tsx';
import { WindowIcon } from '#console/ui/icons/icons.tsx';
import { Near } from '#console/ui/screen/Near.tsx';
import { Facts, Panel } from '#console/ui/screen/Panel.tsx';
import { Columns, Screen } from '#console/ui/screen/Screen.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { StatePill } from '#console/ui/state/StatePill.tsx';
import { TimeAgo } from '#console/ui/state/TimeAgo.tsx';
import { createTemporaryKey } from '#contract/device.ts';
import { type Project, readProject } from '#contract/project.ts';
import { readStats } from '#contract/stats.ts';
import { RecentChangesPanel } from './RecentChangesPanel.tsx';

/** The project's dashboard: is the fleet well, what needs a hand, what passes through, what happened. */
export function ProjectOverview() {
  const { projectId } = useParams({ from: '/shell/projects/$projectId/' });
  useDeviceCountsLive();
  const read = useRead(readProject, { params: { projectId } });
  const { data } = read;
  if (!data) return <ReadState read={read} what="The project" skeleton={<Skeleton />} />;
  return (
    <Screen
      title={data.name}
      beside={
        <>
          <CopyText text={data.id} label="Copy id" />
          {data.isSample && <StatePill tone="busy" word="Sample" />}
        </>
      }
      actions={data.isSample && <Simulate project={data} />}
    >
      <NextSteps project={data} />
      <FleetBand projectId={projectId} />
      <Columns
        side={
          <Near height={600}>
            <RecentChangesPanel projectId={projectId} />
            <About project={data} />
          </Near>
        }
      >
        <FindingsPanel projectId={projectId} />
        <MessagesPanel projectId={projectId} />
        <Near height={300}>
          <ClassesPanel projectId={projectId} />
        </Near>
      </Columns>
    </Screen>
  );
}

/** Opens the simulators, from where neither app nor device is on screen. */
function Simulate({ project }: { project: Project }) {
  const maySimulate = useMay(createTemporaryKey);
  const device = useAnyDevice(project.id);
  const { open, opening, error } = useDeviceSimulator();
  if (!maySimulate || device === null) return null;
  return (
    <>
      {error && <FormError error={error} />}
      <Button
        icon={<WindowIcon />}
        busy={opening}
        disabled={!device}
        onClick={() => device && void open(device.id)}
      >
        Simulate a device
      </Button>
      <BothSimulators project={project} deviceId={device?.id} />
    </>
  );
}

/** How many people use the product, and the way to them. */
function UserCount({ projectId }: { projectId: string }) {
  const { data } = useRead(readStats, { params: { projectId } });
  if (!data) return <>–</>;
  return (
    <Link to="/projects/$projectId/users" params={{ projectId }}>
      {countOf(data.users, 'user')}
    </Link>
  );
}

function About({ project }: { project: Project }) {
  return (
    <Panel title="About">
      <Facts
        facts={[
          ['Description', project.description || '–'],
          ...(project.publicAlias
            ? ([
                ['Public alias', <CopyText key="a" text={project.publicAlias} label="Copy alias" />],
              ] as const)
            : []),
          ['Users', <UserCount key="users" projectId={project.id} />],
          ['Your role', roleWords[project.role]],
          ['Created', <TimeAgo key="created" time={project.createdAt} />],
        ]}
      />
    </Panel>
  );
}
