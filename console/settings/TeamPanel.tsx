import { Link } from '@tanstack/react-router';
import { useRead } from '#console/api.ts';
import { roleWords } from '#console/membership/roleWords.ts';
import { FormError } from '#console/ui/form/FormError.tsx';
import { Facts, Panel } from '#console/ui/screen/Panel.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { roles } from '#contract/endpoint.ts';
import { listMembers } from '#contract/member.ts';
import css from './settings.module.css';

/** Who is in it, in numbers; the rest is on a screen of its own. */
export function TeamPanel({ projectId }: { projectId: string }) {
  const { data, error } = useRead(listMembers, { params: { projectId } });
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
      {!data && !error && <Skeleton shape="rows" lines={1} />}
      {!data && <FormError error={error} />}
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
