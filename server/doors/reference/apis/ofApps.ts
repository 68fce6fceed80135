import { callsOf } from '#contract/all.ts';
import { appNouns } from '#contract/appApi/all.ts';
import type { AnyEndpoint, AppAccess, AppEndpoint, HomeRight } from '#contract/endpoint.ts';
import type { Reason } from '#contract/problem.ts';
import { accessTokenTtlS } from '#rules/time/lifetimes.ts';
import { html } from '#server/api/pages/html.ts';
import { exampleId } from '#server/doors/reference/exampleIds.ts';
import type { Api, Convention } from './api.ts';
import {
  concurrentChanges,
  errors,
  idempotentRequests,
  lists,
  requestsAndResponses,
  tooMany,
} from './sharedConventions.ts';

const exampleApp = `nordlys-app@${exampleId('projectId')}`;
const typed = `/app/v1/${exampleApp}`;

/** The API for the apps of end users. */
export const endUserApi: Api = {
  title: 'App API',
  description: 'The API of an app: what end users do with their homes and devices.',
  lead: html`What the users of your product do with their homes and devices, from an app on a phone or a page in a browser. This reference is generated from the contract that the server validates requests against. <a href="/docs">Developer API</a> · <a href="/docs/service">Service API</a> · <a href="/docs/devices">Device protocol</a> · <a href="/docs/app/openapi.json">OpenAPI 3.1 document</a>`,
  groups: Object.entries(appNouns).map(([title, noun]) => ({ title, calls: callsOf<AppEndpoint>(noun) })),
  prefix: { shown: '/app/v1/{app}', typed },
  server: {
    url: '/app/v1/{app}',
    variables: {
      app: {
        default: exampleApp,
        description: 'The id of the app, an @, and the id or the public alias of its project.',
      },
    },
  },
  securitySchemes: {
    accessToken: {
      type: 'http',
      scheme: 'bearer',
      description: 'The access token of a session, from `signIn` or `refreshSession`.',
    },
  },
  securityOf: ({ access }) => (access === 'public' ? [] : [{ accessToken: [] }]),
  accessOf: ({ access }) => accessSentence(access as AppAccess),
  credentialsOf: ({ access }) => (access === 'public' ? [] : ["-H 'Authorization: Bearer …'"]),
  hasGuard: false,
  hasAllReasons: false,
  ownReasons: ({ reasons }) => reasons,
  reasonsByAccess,
  conventionsAt: publicUrl => [
    baseAddress(publicUrl),
    sessions,
    requestsAndResponses,
    errors,
    lists,
    concurrentChanges,
    idempotentRequests,
    limits,
  ],
};

const rightSentences: Record<HomeRight, string> = {
  view: 'Any member of the home; guests, for the devices listed for them and within their time.',
  control: 'Members of the home; guests, for the devices that they may control.',
  configure: 'The owner and admins of the home.',
  invite: 'The owner and admins of the home.',
  own: 'The owner of the home.',
};

function accessSentence(access: AppAccess): string {
  if (access === 'public') return 'No sign-in needed.';
  if (access === 'user') return 'Any signed-in user.';
  return rightSentences[access.right];
}

function reasonsByAccess({ access }: AnyEndpoint): Reason[] {
  if (access === 'public') return ['APP_NOT_FOUND'];
  if (access === 'user') return ['APP_NOT_FOUND', 'NO_USER_SESSION'];
  return ['APP_NOT_FOUND', 'NO_USER_SESSION', 'HOME_RIGHT_MISSING'];
}

const baseAddress = (publicUrl: string): Convention => ({
  title: 'Base address',
  text: html`<p>Every address begins with the app: its id, an <code>@</code>, and the id or the public alias of its project.</p>
<pre><code>curl ${publicUrl}${typed}/config</code></pre>
<p>Pages of any origin can call it: there are no cookies that another page could abuse.</p>`,
});

const sessions: Convention = {
  title: 'Sessions',
  text: html`<p>Signing in returns an access token and a refresh token. Send the access token with every call, and never in an address:</p>
<pre><code>Authorization: Bearer …</code></pre>
<p>It works for ${accessTokenTtlS / 60} minutes. <a class="code" href="#refreshSession">refreshSession</a> then takes the refresh token and returns two new tokens; each refresh token works once. Store an <code>Idempotency-Key</code> before you send it: if the response is lost, the same key returns the same tokens, however long the phone was offline. A refresh token that is used a second time without its key ends the session with <a class="code" href="#reason-TOKEN_REUSED">TOKEN_REUSED</a>, because it may have been stolen.</p>
<p>Store the <code>deviceToken</code> as well, keep it when the session ends, and send it with the next sign-in. Wrong passwords that others tried for the account do not delay a sign-in from a device, or a network, that the user was signed in on.</p>
<p>What a user may do is decided at each call, by their role in the home.</p>`,
};

const limits: Convention = {
  title: 'Rate limits',
  text: html`<p>A user can make 10 calls a second in an app, and 50 at once; without a session, the same holds for an address. All apps of a project together can make 500 calls a second. More ${tooMany}</p>
<p>Passwords and codes have limits of their own: after five wrong ones for an account, each further one doubles the wait, up to 15 minutes; after 20 from an address, somebody there can try every five seconds. Whoever waits for the time in <code>Retry-After</code> gets a turn before those who come for the first time.</p>`,
};
