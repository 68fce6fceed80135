import { Link } from '@tanstack/react-router';
import { useRead } from '#console/core/api.ts';
import { roleWords } from '#console/core/membership/roleWords.ts';
import { Facts, Panel } from '#console/ui/screen/Panel.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { roles } from '#contract/endpoint.ts';
import { listMembers } from '#contract/team.ts';
import css from './settings.module.css';

/** The team in numbers; details are on a screen of their own. */
export function TeamPanel({ projectId }: { projectId: string }) {
  const read = useRead(listMembers, { params: { projectId } });
  const { data } = read;
  const counts =
    data && roles.toReversed().map(role => [role, data.filter(one => one.role === role).length] as const);
  return (
    <Panel
      title="Team"
      note={data?.length}
      action={
        <Link to="/projects/$projectId/team" params={{ projectId }} className={css.panelLink}>
          Open team
        </Link>
      }
    >
      <ReadState read={read} what="The team" skeleton={<Skeleton shape="rows" lines={1} />} />
      {counts && (
        <Facts
          facts={counts
            .filter(([, count]) => count > 0)
            .map(([role, count]) => [roleWords[role], count] as const)}
        />
      )}
    </Panel>
  );
}
