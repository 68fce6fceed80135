import { useState } from 'react';
import { useActions } from '#console/actions.ts';
import { useRead } from '#console/api.ts';
import { useProject } from '#console/membership/useProject.ts';
import { Button } from '#console/ui/Button.tsx';
import { FormError } from '#console/ui/form/FormError.tsx';
import { Hint } from '#console/ui/Hint.tsx';
import { PlusIcon } from '#console/ui/icons.tsx';
import { Screen } from '#console/ui/screen/Screen.tsx';
import { ErrorState } from '#console/ui/state/ErrorState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { useHashDialog } from '#console/urlState.ts';
import { listMembers } from '#contract/member.ts';
import type { Project } from '#contract/project.ts';
import { AddMember } from './AddMember.tsx';
import { Members } from './Members.tsx';
import css from './team.module.css';

export function Team() {
  const { data: project } = useProject();
  return project ? <TeamOf project={project} /> : <Skeleton shape="rows" lines={4} />;
}

function TeamOf({ project }: { project: Project }) {
  const { data, error, refetch, isFetching } = useRead(listMembers, { params: { projectId: project.id } });
  const adding = useHashDialog('new');
  const [added, setAdded] = useState<string>();
  const isOwner = project.role === 'owner';
  useActions(isOwner ? [{ label: 'Add member', keys: 'c', run: adding.show }] : []);
  return (
    <Screen
      title="Team"
      beside={data && <span className={css.count}>{data.length}</span>}
      actions={
        isOwner && (
          <Button variant="primary" icon={<PlusIcon />} onClick={adding.show}>
            Add member
          </Button>
        )
      }
    >
      {!isOwner && <Hint>Only owners can add, change and remove members. You can leave on your own.</Hint>}
      {data && error && <FormError error={error} />}
      {data ? (
        <Members project={project} members={data} added={added} />
      ) : (
        <div className={css.frame}>
          {error ? (
            <ErrorState what="The team" error={error} onRetry={() => void refetch()} retrying={isFetching} />
          ) : (
            <Skeleton shape="rows" lines={4} />
          )}
        </div>
      )}
      {isOwner && adding.open && (
        <AddMember
          project={project}
          onAdded={({ developerId }) => setAdded(developerId)}
          onClose={adding.hide}
        />
      )}
    </Screen>
  );
}
