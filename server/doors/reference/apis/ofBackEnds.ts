import { callsOf, nouns } from '#contract/all.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import type { Reason } from '#contract/problem.ts';
import * as service from '#contract/service.ts';
import { html } from '#server/api/pages/html.ts';
import { exampleId } from '#server/doors/reference/exampleIds.ts';
import type { Api, Convention, Group } from './api.ts';
import {
  concurrentChanges,
  errors,
  idempotentRequests,
  lists,
  requestsAndResponses,
  tooMany,
} from './sharedConventions.ts';

const base = '/service/v1';

const ofKeysOnly: Group = { title: 'Events and your own users', calls: callsOf(service) };
const shared = Object.entries(nouns).map(
  ([title, noun]): Group => ({ title, calls: callsOf(noun).filter(({ capability }) => capability) }),
);

/** The API for the back ends of developers. */
export const backEndApi: Api = {
  title: 'Service API',
  description: 'The API for your back ends, called with the key of a project.',
  lead: html`What your back ends do in a project, with a key. This reference is generated from the contract that the server validates requests against. <a href="/docs">Developer API</a> · <a href="/docs/app">App API</a> · <a href="/docs/devices">Device protocol</a> · <a href="/docs/service/openapi.json">OpenAPI 3.1 document</a>`,
  groups: [ofKeysOnly, ...shared].filter(({ calls }) => calls.length > 0),
  prefix: { shown: base, typed: base },
  server: { url: base },
  securitySchemes: {
    key: {
      type: 'http',
      scheme: 'bearer',
      description: 'The secret of a key, created under Apps in the console; it begins with `mor_`.',
    },
  },
  securityOf: () => [{ key: [] }],
  accessOf: ({ capability }) => `Keys need \`${capability}\`.`,
  credentialsOf: () => ["-H 'Authorization: Bearer mor_…'"],
  hasGuard: false,
  hasAllReasons: false,
  // A key belongs to one project, in which it has capabilities instead of a role.
  ownReasons: ({ reasons }) => reasons.filter(reason => !ofMembers.has(reason)),
  reasonsByAccess,
  conventionsAt: publicUrl => [
    authentication(`${publicUrl}${base}`),
    requestsAndResponses,
    errors,
    lists,
    concurrentChanges,
    idempotentRequests,
    limits,
  ],
};

const ofMembers = new Set<Reason>(['NOT_A_MEMBER', 'ROLE_TOO_LOW']);

function reasonsByAccess({ access }: AnyEndpoint): Reason[] {
  const all: Reason[] = ['KEY_REFUSED', 'ADDRESS_NOT_ALLOWED', 'MISSING_CAPABILITY'];
  return typeof access === 'object' && access.of === 'project' ? [...all, 'PROJECT_NOT_FOUND'] : all;
}

const authentication = (baseUrl: string): Convention => ({
  title: 'Authentication',
  text: html`<p>A developer of the project creates a key under Apps in the console. Send its secret with every call:</p>
<pre><code>curl '${baseUrl}/devices?projectId=${exampleId('projectId')}' -H 'Authorization: Bearer mor_…'</code></pre>
<p>A key has access to its own project only. Each call requires one of five capabilities, which are turned on or off for each key; without it, the call fails with <a class="code" href="#reason-MISSING_CAPABILITY">MISSING_CAPABILITY</a> and names it. A key that is wrong, suspended or expired fails with <a class="code" href="#reason-KEY_REFUSED">KEY_REFUSED</a>, and from an address that is not in its list with <a class="code" href="#reason-ADDRESS_NOT_ALLOWED">ADDRESS_NOT_ALLOWED</a>.</p>
<p>After a rotation, the previous secret works for a day, or as long as you choose, so that you can update your back ends one by one. Never put a key into an app or a page: calls from browsers on other origins are rejected.</p>`,
});

const limits: Convention = {
  title: 'Rate limits',
  text: html`<p>All keys of a project together can make 500 calls a second, and 1,000 at once. More ${tooMany} An address that sends wrong keys is slowed down earlier.</p>`,
};
