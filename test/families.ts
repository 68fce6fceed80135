import { acceptInvitation, createMyHome, inviteToHome } from '#contract/appApi/home.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { anEndUser, type CalledApp, type EndUser } from './endUsers.ts';
import { inRole } from './homes.ts';
import type { ProjectWorld } from './projectWorld.ts';

export const aUser = (at: ProjectWorld, app: CalledApp, name?: string) =>
  anEndUser(at.world, app, name ? { name } : {});

/** An owner with a home, and members of it by their roles. */
export async function aFamily(at: ProjectWorld, app: CalledApp, ...roles: ('admin' | 'member' | 'guest')[]) {
  const owner = await aUser(at, app, 'Uma');
  const body = { name: 'Dike 1', timeZone: 'Europe/Oslo' };
  const { id: homeId } = await owner.client.call(createMyHome, { body });
  const members: EndUser[] = [];
  for (const role of roles) {
    const user = await aUser(at, app, role);
    await inRole(at.world, homeId, user, role);
    members.push(user);
  }
  return { owner, params: { homeId }, members };
}

export const invite = (by: EndUser, params: { homeId: string }, body: BodyOf<typeof inviteToHome>) =>
  by.client.call(inviteToHome, { params, body });

export const accept = (user: EndUser, body: BodyOf<typeof acceptInvitation>) =>
  user.client.call(acceptInvitation, { body });

/** The token in the newest e-mail to an address. */
export const tokenTo = async ({ world }: ProjectWorld, email: string) =>
  (await world.mailsTo(email))[0]?.token ?? '';
