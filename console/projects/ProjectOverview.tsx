import { useParams } from '@tanstack/react-router';
import { useRead } from '#console/api.ts';
import { useSimulator } from '#console/devices/connect/useSimulator.ts';
import { roleWords } from '#console/membership/roleWords.ts';
import { useMay } from '#console/membership/useMay.ts';
import { NextSteps } from '#console/onboarding/NextSteps.tsx';
import { useAnyDevice } from '#console/onboarding/useAnyDevice.ts';
import { Button } from '#console/ui/Button.tsx';
import { CopyText } from '#console/ui/CopyText.tsx';
import { FormError } from '#console/ui/form/FormError.tsx';
import { WindowIcon } from '#console/ui/icons.tsx';
import { DetailScreen } from '#console/ui/screen/DetailScreen.tsx';
import { Facts, Panel } from '#console/ui/screen/Panel.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { StatePill } from '#console/ui/state/StatePill.tsx';
import { TimeAgo } from '#console/ui/state/TimeAgo.tsx';
import { createTemporaryKey } from '#contract/device.ts';
import { type Project, readProject } from '#contract/project.ts';
import { DevicesPanel } from './DevicesPanel.tsx';
import { FiguresStrip } from './FiguresStrip.tsx';
import { RecentChangesPanel } from './RecentChangesPanel.tsx';
import { TrafficPanel } from './TrafficPanel.tsx';

/** The project's dashboard: how much there is, what passes through, what happened lately, what to do next. */
export function ProjectOverview() {
  const { projectId } = useParams({ from: '/shell/projects/$projectId/' });
  const read = useRead(readProject, { params: { projectId } });
  const { data } = read;
  if (!data) return <ReadState read={read} what="The project" skeleton={<Skeleton />} />;
  return (
    <DetailScreen
      name={data.name}
      id={data.id}
      state={data.isSample && <StatePill tone="busy" word="Sample" />}
      actions={data.isSample && <Simulate projectId={projectId} />}
      side={
        <>
          <RecentChangesPanel projectId={projectId} />
          <About project={data} />
        </>
      }
    >
      <NextSteps project={data} />
      <FiguresStrip projectId={projectId} />
      <DevicesPanel projectId={projectId} />
      <TrafficPanel projectId={projectId} />
    </DetailScreen>
  );
}

/** Opens the simulator as a device, from where that device is not on screen. */
function Simulate({ projectId }: { projectId: string }) {
  const maySimulate = useMay(createTemporaryKey);
  const device = useAnyDevice(projectId);
  const { open, opening, error } = useSimulator();
  if (!maySimulate || !device) return null;
  return (
    <>
      {error && <FormError error={error} />}
      <Button icon={<WindowIcon />} busy={opening} onClick={() => void open(device.id)}>
        Simulate a device
      </Button>
    </>
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
          ['Your role', roleWords[project.role]],
          ['Created', <TimeAgo key="created" time={project.createdAt} />],
        ]}
      />
    </Panel>
  );
}
