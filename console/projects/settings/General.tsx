import { may } from '#console/core/membership/may.ts';
import { Columns } from '#console/ui/screen/Screen.tsx';
import { editProject } from '#contract/project.ts';
import { DeletePanel } from './DeletePanel.tsx';
import { OverviewPanel } from './OverviewPanel.tsx';
import { SettingsScreen } from './SettingsScreen.tsx';
import { TeamPanel } from './TeamPanel.tsx';

export function General() {
  return (
    <SettingsScreen>
      {project => (
        <>
          <Columns side={<TeamPanel projectId={project.id} />}>
            <OverviewPanel project={project} locked={!may(project.role, editProject)} />
          </Columns>
          <DeletePanel project={project} />
        </>
      )}
    </SettingsScreen>
  );
}
