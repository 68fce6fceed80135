import { Navigate } from '@tanstack/react-router';
import { may } from '#console/core/membership/may.ts';
import { UserAuthMethodsSection } from '#console/people/userAuthMethods/UserAuthMethodsSection.tsx';
import { EmailTemplatesSection } from '#console/projects/emailTemplates/EmailTemplatesSection.tsx';
import { SettingsScreen } from '#console/projects/settings/SettingsScreen.tsx';
import type { SectionProps } from '#console/projects/settings/section.ts';
import { Columns } from '#console/ui/screen/Screen.tsx';
import { editProject } from '#contract/project.ts';
import { AuthMessagePanel } from './AuthMessagePanel.tsx';
import { PasswordLoginPanel } from './PasswordLoginPanel.tsx';
import { PasswordPolicyPanel } from './PasswordPolicyPanel.tsx';

/** How end users sign in. Shown only while the platform manages their accounts, even if that changes meanwhile. */
export function UserAuth() {
  return (
    <SettingsScreen>
      {project =>
        project.userAccountMode === 'email' ? (
          <Sections project={project} locked={!may(project.role, editProject)} />
        ) : (
          <Navigate to="/projects/$projectId/settings" params={{ projectId: project.id }} replace />
        )
      }
    </SettingsScreen>
  );
}

function Sections(section: SectionProps) {
  return (
    <Columns
      side={
        <>
          <PasswordPolicyPanel {...section} />
          <PasswordLoginPanel {...section} />
        </>
      }
    >
      <AuthMessagePanel {...section} />
      <UserAuthMethodsSection project={section.project} />
      <EmailTemplatesSection project={section.project} />
    </Columns>
  );
}
