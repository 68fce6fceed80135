import { describe, expect, it } from 'vitest';
import { guestRights, mayManage, rightsOf } from './homeRights.ts';

const all = ['view', 'control', 'configure', 'invite', 'own'];

describe('the rights of a role', () => {
  it.each([
    ['owner', true, all],
    ['admin', true, all.slice(0, 4)],
    ['member', true, all.slice(0, 2)],
    ['guest', true, all.slice(0, 1)],
    ['owner', false, all],
    ['member', false, all.slice(0, 4)],
    // Guests do not exist in legacy access control, and must not get more rights if one does.
    ['guest', false, all.slice(0, 1)],
  ] as const)('of %s, with roles: %s', (role, hasRoles, rights) => {
    expect(rightsOf(role, hasRoles)).toEqual(rights);
  });

  it.each([
    [undefined, true, []],
    [{ mayControl: true }, false, []],
    [{ mayControl: false }, true, ['view']],
    [{ mayControl: true }, true, ['view', 'control']],
  ])('of a guest on a device listed as %j, within the window: %s', (listed, isOpen, rights) => {
    expect(guestRights(listed, { isOpen })).toEqual(rights);
  });
});

describe('the members a role may invite, change and remove', () => {
  it.each([
    ['owner', true, ['guest', 'member', 'admin']],
    ['admin', true, ['guest', 'member']],
    ['member', true, []],
    ['guest', true, []],
    ['owner', false, ['guest', 'member', 'admin']],
    ['member', false, ['guest', 'member', 'admin']],
  ] as const)('%s, with roles: %s', (role, hasRoles, others) => {
    const managed = (['guest', 'member', 'admin', 'owner'] as const).filter(other =>
      mayManage(role, other, hasRoles),
    );
    expect(managed).toEqual(others);
  });
});
