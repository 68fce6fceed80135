import { createAccessToken } from '#contract/accessToken.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import type { SignedIn, Visitor, World } from './world.ts';

/** An access token of a developer, and a client that calls only with it. */
export async function aToken(
  world: World,
  owner: SignedIn,
  given: Partial<BodyOf<typeof createAccessToken>> = {},
): Promise<Visitor & { id: string; token: string }> {
  const { id, token } = await owner.client.call(createAccessToken, {
    params: { developerId: owner.developer.id },
    body: {
      name: 'Pipeline',
      scope: 'all',
      expiresAt: new Date(world.now().getTime() + 30 * 86_400_000).toISOString(),
      ...given,
    },
  });
  return { ...world.visitor({ authorization: `Bearer ${token}` }), id, token };
}
