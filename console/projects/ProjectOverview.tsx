import { useParams } from '@tanstack/react-router';
import { useRead } from '#console/api.ts';
import { DetailScreen } from '#console/ui/DetailScreen.tsx';
import { ErrorState } from '#console/ui/ErrorState.tsx';
import { Facts, Panel } from '#console/ui/Panel.tsx';
import { Skeleton } from '#console/ui/Skeleton.tsx';
import { StatePill } from '#console/ui/StatePill.tsx';
import { TimeAgo } from '#console/ui/TimeAgo.tsx';
import { readProject } from '#contract/project.ts';
import { roleWords } from './roleWords.ts';

export function ProjectOverview() {
  const { projectId } = useParams({ from: '/shell/projects/$projectId/' });
  const { data, error, refetch, isFetching } = useRead(readProject, { params: { projectId } });
  if (!data && error)
    return (
      <ErrorState what="The project" error={error} onRetry={() => void refetch()} retrying={isFetching} />
    );
  if (!data) return <Skeleton />;
  return (
    <DetailScreen
      name={data.name}
      id={data.id}
      state={data.isSample && <StatePill tone="busy" word="Sample project" />}
    >
      <Panel title="About">
        <Facts
          facts={[
            ['Description', data.description || '–'],
            ['Your role', roleWords[data.role]],
            ['Created', <TimeAgo key="created" time={data.createdAt} />],
          ]}
        />
      </Panel>
    </DetailScreen>
  );
}
