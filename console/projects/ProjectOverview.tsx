import { Link, useParams } from '@tanstack/react-router';
import { useRead } from '#console/core/api.ts';
import { useDeviceCountsLive } from '#console/core/live/useDevicesLive.ts';
import { roleWords } from '#console/core/membership/roleWords.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { FindingsPanel, useFindings } from '#console/devices/findings/FindingsPanel.tsx';
import { ClassesPanel } from '#console/devices/fleet/ClassesPanel.tsx';
import { FleetBand } from '#console/devices/fleet/FleetBand.tsx';
import { MessagesPanel } from '#console/devices/fleet/MessagesPanel.tsx';
import { sumOf, totalOf } from '#console/devices/states/deviceStates.ts';
import { RunningPanel } from '#console/firmware/rollouts/RunningPanel.tsx';
import { NextSteps } from '#console/guide/onboarding/NextSteps.tsx';
import { useAnyDevice } from '#console/guide/onboarding/useAnyDevice.ts';
import { BothSimulators } from '#console/guide/simulators/BothSimulators.tsx';
import { useDeviceSimulator } from '#console/guide/simulators/useDeviceSimulator.ts';
import { Button, buttonClass } from '#console/ui/Button.tsx';
import { CopyText } from '#console/ui/CopyText.tsx';
import { WindowIcon } from '#console/ui/icons/icons.tsx';
import { Near } from '#console/ui/screen/Near.tsx';
import { Facts, Panel } from '#console/ui/screen/Panel.tsx';
import { Columns, Screen } from '#console/ui/screen/Screen.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { StatePill } from '#console/ui/state/StatePill.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import { createDevice, createTemporaryKey } from '#contract/device.ts';
import { editProject, type Project, readProject } from '#contract/project.ts';
import { readStats } from '#contract/stats.ts';
import { ConnectFirst } from './firstDevice/ConnectFirst.tsx';
import { PeoplePanel } from './PeoplePanel.tsx';
import { RecentChangesPanel } from './RecentChangesPanel.tsx';

/** The project's dashboard: the health of the fleet, what needs attention, the message volume, and recent changes. */
export function ProjectOverview() {
  const { projectId } = useParams({ from: '/shell/projects/$projectId/' });
  useDeviceCountsLive();
  const read = useRead(readProject, { params: { projectId } });
  const { data } = read;
  const begins = useBegins(data);
  const isBusy = useIsBusy(projectId);
  if (!data) return <ReadState read={read} what="The project" skeleton={<Skeleton />} />;
  return (
    <Screen
      title={data.name}
      beside={data.isSample && <StatePill tone="busy" word="Sample" />}
      actions={data.isSample && !isBusy && <Simulate project={data} />}
      isHeadless={!data.isSample}
    >
      <NextSteps project={data} />
      {begins ? <ConnectFirst project={data} /> : <Figures project={data} />}
    </Screen>
  );
}

/** Who has so many devices connected needs no simulated one. */
const simulatedMax = 10;

function useIsBusy(projectId: string): boolean {
  const stats = useRead(readStats, { params: { projectId } }).data;
  return stats !== undefined && sumOf(stats.devices).connected > simulatedMax;
}

/** Whether none of the devices was ever connected, and the developer can change that. */
function useBegins(project: Project | undefined): boolean {
  const { projectId } = useParams({ from: '/shell/projects/$projectId/' });
  const stats = useRead(readStats, { params: { projectId } }).data;
  const mayAdd = useMay(createDevice);
  if (!project || project.isSample || !mayAdd || !stats) return false;
  const { never } = sumOf(stats.devices);
  return totalOf(sumOf(stats.devices)) === never;
}

function Figures({ project }: { project: Project }) {
  const projectId = project.id;
  return (
    <>
      <FleetBand projectId={projectId} />
      <Columns
        side={
          <Near height={600}>
            <RunningRollouts projectId={projectId} />
            <RecentChangesPanel projectId={projectId} />
            <PeoplePanel projectId={projectId} />
            <About project={project} />
          </Near>
        }
      >
        <FindingsPanel projectId={projectId} />
        <MessagesPanel projectId={projectId} />
        <Near height={300}>
          <ClassesPanel projectId={projectId} />
        </Near>
      </Columns>
    </>
  );
}

/** Those that are a finding are not repeated. */
function RunningRollouts({ projectId }: { projectId: string }) {
  const { data } = useFindings(projectId);
  const except = new Set(data?.flatMap(({ rollout }) => rollout?.id ?? []));
  return data && <RunningPanel projectId={projectId} except={except} />;
}

/** Opens a simulator from a screen that shows no particular device. */
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

function About({ project }: { project: Project }) {
  const params = { projectId: project.id };
  const mayEdit = useMay(editProject);
  return (
    <Panel
      title="About"
      action={
        mayEdit && (
          <Link to="/projects/$projectId/settings" params={params} className={buttonClass('quiet')}>
            Edit
          </Link>
        )
      }
    >
      <Facts
        facts={[
          ['Project id', <CopyText key="id" text={project.id} label="Copy id" />],
          ...(project.publicAlias
            ? ([
                ['Public alias', <CopyText key="a" text={project.publicAlias} label="Copy alias" />],
              ] as const)
            : []),
          ['Description', project.description || '–'],
          ['Your role', roleWords[project.role]],
          ['Created', <TimeAgo key="created" time={project.createdAt} />],
        ]}
      />
    </Panel>
  );
}
