import { type LinkProps, useNavigate, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useActions } from '#console/actions.ts';
import { may } from '#console/projects/may.ts';
import { useProject } from '#console/projects/useProject.ts';
import { ErrorState } from '#console/ui/ErrorState.tsx';
import { FormError } from '#console/ui/FormError.tsx';
import { Hint } from '#console/ui/Hint.tsx';
import { Screen } from '#console/ui/Screen.tsx';
import { Skeleton } from '#console/ui/Skeleton.tsx';
import { Tabs } from '#console/ui/Tabs.tsx';
import { editProject, type Project } from '#contract/project.ts';

interface SettingsScreenProps {
  children: (project: Project) => ReactNode;
  /** Logs take all there is. */
  width?: 'form' | 'full';
}

/** The frame of every settings screen: title, tabs, and what the reader may do. */
export function SettingsScreen({ children, width = 'form' }: SettingsScreenProps) {
  const { data, error, refetch, isFetching } = useProject();
  return (
    <Screen title="Settings" width={width} tabs={data && <SettingsTabs project={data} />}>
      {!data && !error && <Skeleton lines={8} />}
      {!data && error && (
        <ErrorState what="The settings" error={error} onRetry={() => void refetch()} retrying={isFetching} />
      )}
      {data && error && <FormError error={error} />}
      {data && !may(data.role, editProject) && (
        <Hint>
          You are a viewer here: you see every setting and change none. An owner can give you another role.
        </Hint>
      )}
      {data && children(data)}
    </Screen>
  );
}

const tabs = [
  { label: 'General', to: '/projects/$projectId/settings' },
  { label: 'User auth', to: '/projects/$projectId/settings/user_auth', only: 'email' },
  { label: 'Advanced', to: '/projects/$projectId/settings/advanced' },
  { label: 'Audit logs', to: '/projects/$projectId/settings/audit_logs' },
] as const;

/** As far as their routes exist; how users sign in is set here only where the platform keeps their accounts (spec §2). */
function SettingsTabs({ project }: { project: Project }) {
  const router = useRouter();
  const navigate = useNavigate();
  const links = tabs
    .filter(tab => tab.to in router.routesByPath)
    .filter(tab => !('only' in tab) || tab.only === project.userAccountMode)
    .map(({ label, to }) => ({ label, to, params: { projectId: project.id } }));
  useActions(
    links.map(({ label, ...link }) => ({
      label: `Go to ${label} settings`,
      group: 'go' as const,
      run: () => void navigate(link as never),
    })),
  );
  return <Tabs label="Settings" tabs={links as (LinkProps & { label: string })[]} />;
}
