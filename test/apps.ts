import { type App, createApp } from '#contract/app.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { type SignedIn, unique } from './world.ts';

export function anApp(
  owner: SignedIn,
  projectId: string,
  given: Partial<BodyOf<typeof createApp>> = {},
): Promise<App> {
  return owner.client.call(createApp, { params: { projectId }, body: { id: unique('app'), ...given } });
}
