import { may } from '#console/membership/may.ts';
import { Columns } from '#console/ui/screen/Screen.tsx';
import { editProject } from '#contract/project.ts';
import { AccessControlPanel } from './AccessControlPanel.tsx';
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
