import { useState } from 'react';
import { useRead } from '#console/core/api.ts';
import { useProject } from '#console/core/membership/useProject.ts';
import { Hint } from '#console/ui/Hint.tsx';
import { useAdd } from '#console/ui/list/useAdd.tsx';
import { Screen } from '#console/ui/screen/Screen.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import type { Project } from '#contract/project.ts';
import { listMembers } from '#contract/team.ts';
import { AddMember } from './AddMember.tsx';
import { Members } from './Members.tsx';
import css from './team.module.css';

export function Team() {
  const { data: project } = useProject();
  return project ? <TeamOf project={project} /> : <Skeleton shape="rows" lines={4} />;
}

function TeamOf({ project }: { project: Project }) {
  const read = useRead(listMembers, { params: { projectId: project.id } });
  const { data } = read;
  const [added, setAdded] = useState<string>();
  const isOwner = project.role === 'owner';
  const adding = useAdd('Add member', isOwner);
  const skeleton = <Skeleton shape="rows" lines={4} />;
  const state = <ReadState read={read} what="The team" skeleton={skeleton} refetchError />;
  return (
    <Screen
      title="Team"
      beside={data && <span className={css.count}>{data.length}</span>}
      actions={adding.button('primary')}
    >
      {!isOwner && <Hint>Only owners can add, change and remove members. You can leave at any time.</Hint>}
      {data ? state : <div className={css.frame}>{state}</div>}
      {data && <Members project={project} members={data} added={added} />}
      {adding.open && (
        <AddMember
          project={project}
          onAdded={({ developerId }) => setAdded(developerId)}
          onClose={adding.close}
        />
      )}
    </Screen>
  );
}
