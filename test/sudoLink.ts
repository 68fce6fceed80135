import { startSudo } from '#contract/account.ts';
import { makeToken } from '#server/accounts/developers/tokens.ts';
import type { SignedIn, Visitor, World } from './world.ts';

export interface SudoLink {
  sudoer: string;
  orgId: string;
  email: string;
  token: string;
}

/** The link that an operator creates with `sudo link`. */
export async function aSudoLink(world: World, { developer, email }: SignedIn): Promise<SudoLink> {
  const sudoer = 'support@mooring.example';
  const { orgId, id: developerId } = developer;
  const given = { orgId, developerId, data: { sudoer, reason: 'a bug', ticket: 'T-1' }, now: world.now() };
  return { sudoer, orgId, email, token: await makeToken(world.platform.db, 'sudo', given) };
}

/** A browser in which support staff acts as this developer. */
export async function aSudoer(world: World, owner: SignedIn): Promise<Visitor> {
  const visitor = world.visitor();
  await visitor.client.call(startSudo, { body: await aSudoLink(world, owner) });
  return visitor;
}
