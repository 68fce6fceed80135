import { may } from '#console/core/membership/may.ts';
import { AccessControlPanel } from '#console/people/homes/AccessControlPanel.tsx';
import { Columns } from '#console/ui/screen/Screen.tsx';
import { editProject } from '#contract/project.ts';
import { DeviceKeysPanel } from './DeviceKeysPanel.tsx';
import { OptionsPanel } from './OptionsPanel.tsx';
import { SettingsScreen } from './SettingsScreen.tsx';

export function Advanced() {
  return (
    <SettingsScreen>
      {project => (
        <Columns
          side={
            <>
              <DeviceKeysPanel project={project} />
              <AccessControlPanel project={project} />
            </>
          }
        >
          <OptionsPanel project={project} locked={!may(project.role, editProject)} />
        </Columns>
      )}
    </SettingsScreen>
  );
}
