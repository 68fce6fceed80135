import type { LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { may } from '#console/core/membership/may.ts';
import { useProject } from '#console/core/membership/useProject.ts';
import { Hint } from '#console/ui/Hint.tsx';
import { Screen } from '#console/ui/screen/Screen.tsx';
import { Tabs } from '#console/ui/screen/Tabs.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { editProject, type Project } from '#contract/project.ts';
import { useSettingsPlaces } from './useSettingsPlaces.ts';

interface SettingsScreenProps {
  children: (project: Project) => ReactNode;
  /** Logs use the full width. */
  width?: 'form' | 'full';
}

/** The frame of every settings screen: title, tabs, and whether the developer may edit. */
export function SettingsScreen({ children, width = 'form' }: SettingsScreenProps) {
  const read = useProject();
  const { data } = read;
  return (
    <Screen title="Settings" width={width} tabs={data && <SettingsTabs />}>
      <ReadState read={read} what="The settings" skeleton={<Skeleton lines={8} />} refetchError />
      {data && !may(data.role, editProject) && (
        <Hint>
          You are a viewer in this project: you can see every setting but change none. An owner can change
          your role.
        </Hint>
      )}
      {data && children(data)}
    </Screen>
  );
}

function SettingsTabs() {
  const tabs = useSettingsPlaces().map(({ label, link }) => ({ label, ...link }));
  return <Tabs label="Settings" tabs={tabs as (LinkProps & { label: string })[]} />;
}
