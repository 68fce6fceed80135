/** What the roles of a home allow. Roles weakest first; in legacy access control there are only owner and members. */
const roles = ['guest', 'member', 'admin', 'owner'] as const;
type Role = (typeof roles)[number];
type Right = 'view' | 'control' | 'configure' | 'invite' | 'own';

const allButOwn: readonly Right[] = ['view', 'control', 'configure', 'invite'];
const rightsOfRole: Readonly<Record<Role, readonly Right[]>> = {
  owner: [...allButOwn, 'own'],
  admin: allButOwn,
  member: ['view', 'control'],
  guest: ['view'],
};

/**
 * What a role allows in a home. Without roles (legacy access control), members may all that the owner may, except to give
 * the home away. A guest only sees the home itself; see `guestRights` for its devices.
 */
export function rightsOf(role: Role, hasRoles: boolean): readonly Right[] {
  if (!hasRoles && role !== 'owner' && role !== 'guest') return allButOwn;
  return rightsOfRole[role];
}

/** What a guest may do with a device; undefined: it is not listed for them. */
export function guestRights(
  listed: { mayControl: boolean } | undefined,
  { isOpen }: { isOpen: boolean },
): readonly Right[] {
  if (!listed || !isOpen) return [];
  return listed.mayControl ? rightsOfRole.member : rightsOfRole.guest;
}

/** Whether one role may give another role to somebody, or change and remove who has it. */
export function mayManage(role: Role, other: Role, hasRoles: boolean): boolean {
  if (other === 'owner' || !rightsOf(role, hasRoles).includes('invite')) return false;
  return !hasRoles || roles.indexOf(other) < roles.indexOf(role);
}
