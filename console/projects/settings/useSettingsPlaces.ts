import { type LinkProps, useParams, useRouter } from '@tanstack/react-router';
import { useRead } from '#console/core/api.ts';
import { readProject } from '#contract/project.ts';

const places = [
  {
    label: 'General',
    name: 'General settings',
    also: 'project name, description, public alias, delete project',
    to: '/projects/$projectId/settings',
  },
  {
    label: 'User auth',
    name: 'User auth settings',
    also: 'password policy, restrict password sign-in, password login, sign-in methods, OpenID Connect, e-mail templates, authentication message',
    to: '/projects/$projectId/settings/user_auth',
    only: 'email',
  },
  {
    label: 'Advanced',
    name: 'Advanced settings',
    also: 'options, provisioning, homes, user registration, firmware downloads, device logs, alert retention, device keys, access control, permissions',
    to: '/projects/$projectId/settings/advanced',
  },
  {
    label: 'Audit logs',
    name: 'Audit log',
    also: 'history, who changed what, export, verify',
    to: '/projects/$projectId/settings/audit_logs',
  },
  {
    label: 'HTTP logs',
    name: 'HTTP log',
    also: 'calls by apps, users and keys, API calls, errors',
    to: '/projects/$projectId/settings/http_logs',
  },
] as const;

export interface SettingsPlace {
  /** The label of its tab. */
  label: string;
  /** Its name outside the tabs. */
  name: string;
  /** Search words for what it contains. */
  also: string;
  link: LinkProps;
}

/**
 * The settings of the current project whose routes exist. Sign-in methods of users are included only if the platform
 * manages their accounts. None outside a project.
 */
export function useSettingsPlaces(): readonly SettingsPlace[] {
  const router = useRouter();
  const { projectId } = useParams({ strict: false }) as { projectId?: string };
  const { data } = useRead(readProject, { params: { projectId: projectId ?? '' } }, { enabled: !!projectId });
  if (!projectId || !data) return [];
  return places
    .filter(({ to }) => to in router.routesByPath)
    .filter(place => !('only' in place) || place.only === data.userAccountMode)
    .map(({ label, name, also, to }) => ({
      label,
      name,
      also,
      link: { to, params: { projectId } } as LinkProps,
    }));
}
