/** The roles of a home, weakest first. In legacy access control there are only an owner and members. */
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
 * The rights of a role in a home. Without roles (legacy access control), members have all rights of the owner, except
 * to transfer the home. A guest only sees the home itself; for its devices, see `guestRights`.
 */
export function rightsOf(role: Role, hasRoles: boolean): readonly Right[] {
  if (!hasRoles && role !== 'owner' && role !== 'guest') return allButOwn;
  return rightsOfRole[role];
}

/** The rights of a guest on a device; undefined: the device is not listed for them. */
export function guestRights(
  listed: { mayControl: boolean } | undefined,
  { isOpen }: { isOpen: boolean },
): readonly Right[] {
  if (!listed || !isOpen) return [];
  return listed.mayControl ? rightsOfRole.member : rightsOfRole.guest;
}

/** Whether a role may assign the other role, and change or remove members who have it. */
export function mayManage(role: Role, other: Role, hasRoles: boolean): boolean {
  if (other === 'owner' || !rightsOf(role, hasRoles).includes('invite')) return false;
  return !hasRoles || roles.indexOf(other) < roles.indexOf(role);
}
