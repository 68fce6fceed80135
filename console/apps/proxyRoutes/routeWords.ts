import type { HomeRole } from '#contract/home.ts';
import type { ProxyResource, ProxyRoute } from '#contract/proxyRoute.ts';

interface Words {
  label: string;
  /** What calls of the resource are about, and who may make them. */
  hint: string;
}

export const resourceWords: Record<ProxyResource, Words> = {
  home: { label: 'Home', hint: 'Calls about one home, by its members.' },
  device: { label: 'Device', hint: 'Calls about one device, by the members of its home.' },
  entity: { label: 'Entity', hint: 'Calls about one entity of a device, by the members of its home.' },
  user: { label: 'User', hint: 'Calls about one user, by that user.' },
  project: { label: 'Project', hint: 'Calls about the project as a whole, by any signed-in user.' },
};

export const roleWords: Record<HomeRole, string> = {
  owner: 'Owner',
  admin: 'Admins',
  member: 'Members',
  guest: 'Guests',
};

/** The resources that are called by members of a home. */
export const hasRoles = (resource: ProxyResource) => resource !== 'project' && resource !== 'user';

type Filters = Pick<ProxyRoute, 'resource' | 'homeIds' | 'deviceClasses' | 'entityClasses' | 'entityIds'>;

/** The filters of a route in words. */
export function filterText(route: Filters): string {
  const { resource, homeIds, deviceClasses, entityClasses, entityIds } = route;
  if (resource === 'home') return homeIds.length > 0 ? `homes ${homeIds.join(', ')}` : 'all homes';
  if (resource === 'device') return deviceClasses.length > 0 ? deviceClasses.join(', ') : 'all classes';
  if (resource !== 'entity') return resource === 'user' ? 'all users' : 'the project';
  const only = [...entityClasses, ...entityIds];
  return only.length > 0 ? only.join(', ') : 'all entities';
}

/** "every role but guests" */
export function rolesText({ homeRoles }: Pick<ProxyRoute, 'homeRoles'>): string {
  const missing = (['guest', 'member', 'admin', 'owner'] as const).filter(role => !homeRoles.includes(role));
  if (missing.length === 0) return 'all roles';
  if (missing.length === 1 && missing[0] === 'guest') return 'all roles except guests';
  return homeRoles.map(role => roleWords[role].toLowerCase()).join(', ');
}
