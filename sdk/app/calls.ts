import * as alert from '#contract/appApi/alert.ts';
import * as config from '#contract/appApi/config.ts';
import * as device from '#contract/appApi/device.ts';
import * as home from '#contract/appApi/home.ts';
import * as me from '#contract/appApi/me.ts';
import * as session from '#contract/appApi/session.ts';
import * as stream from '#contract/appApi/stream.ts';
import type { Input, Result } from '#contract/client.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';

/** Everything exported by the app API; the calls are selected by name. */
const said = { ...config, ...session, ...me, ...home, ...device, ...alert, ...stream };
type Said = typeof said;

/** The names of the calls: `listMyHomes`, `sendMyCommand`, … */
export type CallName = {
  [Name in keyof Said]: Said[Name] extends AnyEndpoint ? Name : never;
}[keyof Said];
type EndpointOf<Name extends CallName> = Extract<Said[Name], AnyEndpoint>;

export type InputOf<Name extends CallName> = Input<EndpointOf<Name>>;
export type AnswerOf<Name extends CallName> = Result<EndpointOf<Name>>;

/** The endpoint of a call; browsers have it without schemas. */
export function endpointOf<Name extends CallName>(name: Name): EndpointOf<Name> {
  return said[name] as EndpointOf<Name>;
}
