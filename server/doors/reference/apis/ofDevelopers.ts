import { callsOf, nouns } from '#contract/all.ts';
import type { Access, Endpoint } from '#contract/endpoint.ts';
import type { Reason } from '#contract/problem.ts';
import { html } from '#server/api/pages/html.ts';
import type { Api, Convention } from './api.ts';
import {
  concurrentChanges,
  errors,
  idempotentRequests,
  lists,
  requestsAndResponses,
  tooMany,
} from './sharedConventions.ts';

/** The API that the console uses. */
export const developerApi: Api = {
  title: 'Developer API',
  description: 'The API behind the developer console, which your scripts can use too.',
  lead: html`The API behind the console, which your scripts can use too. This reference is generated from the contract that the server validates requests against. <a href="/docs/app">App API</a> · <a href="/docs/service">Service API</a> · <a href="/docs/devices">Device protocol</a> · <a href="/api/openapi.json">OpenAPI 3.1 document</a>`,
  groups: Object.entries(nouns).map(([title, noun]) => ({ title, calls: callsOf(noun) })),
  prefix: { shown: '/api', typed: '/api' },
  server: { url: '/api' },
  securitySchemes: {
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: 'mooring',
      description:
        'Set by `POST /auth/password` and `POST /auth/auth2F`; on https its name is `__Host-mooring`.',
    },
    accessToken: {
      type: 'http',
      scheme: 'bearer',
      description: 'Created under Account in the console, or by `createAccessToken`; it begins with `mor_`.',
    },
  },
  securityOf({ access, tokenScope }) {
    if (access === 'public') return [];
    return tokenScope === 'none' ? [{ session: [] }] : [{ session: [] }, { accessToken: [] }];
  },
  accessOf: endpoint =>
    [
      accessSentence((endpoint as Endpoint).access),
      tokenScopeSentence(endpoint as Endpoint),
      endpoint.capability && `By the service API, keys need \`${endpoint.capability}\`.`,
    ]
      .filter(Boolean)
      .join(' '),
  credentialsOf: ({ method }) => [
    '-b cookies.txt -c cookies.txt',
    ...(method === 'GET' ? [] : ["-H 'X-Console-Guard: 1'"]),
  ],
  hasGuard: true,
  hasAllReasons: true,
  ownReasons: ({ reasons }) => reasons,
  reasonsByAccess: endpoint => [...byAccess(endpoint as Endpoint), 'ORIGIN_REFUSED'],
  conventionsAt: publicUrl => [
    authentication(`${publicUrl}/api`),
    requestsAndResponses,
    errors,
    lists,
    concurrentChanges,
    idempotentRequests,
    {
      title: 'Rate limits',
      text: html`<p>Too many calls ${tooMany} Some calls have a limit of their own, documented with the call.</p>`,
    },
  ],
};

/** Who may make a call, in a sentence. */
function accessSentence(access: Access): string {
  if (access === 'public') return 'No sign-in needed.';
  if (access === 'login') return 'Any signed-in developer.';
  if (access === 'verified') return 'Any signed-in developer with a verified e-mail address.';
  if (access === 'self') return 'Only the developer named in the path.';
  if (access.role === 'viewer') return 'Any member of the project.';
  return access.role === 'owner' ? 'Owners of the project.' : 'Developers and owners of the project.';
}

/** Which access tokens can make a call, in a sentence; public calls need none. */
function tokenScopeSentence({ access, tokenScope }: Endpoint): string {
  if (access === 'public') return '';
  if (tokenScope === 'none') return 'Not available to access tokens.';
  if (tokenScope === 'any') return 'Access tokens of any scope can call it.';
  return tokenScope === 'all'
    ? 'Access tokens need the scope `all`.'
    : `Access tokens need the scope \`${tokenScope}\` or \`all\`.`;
}

function byAccess({ access, notForSudo, reauth }: Endpoint): Reason[] {
  if (access === 'public') return [];
  const found: Reason[] = ['NO_LOGIN', 'ACCOUNT_SUSPENDED', 'TOKEN_SCOPE'];
  if (notForSudo) found.push('NOT_IN_SUDO');
  if (reauth) found.push('REAUTH_REQUIRED');
  if (access === 'login') return found;
  if (access === 'self') return [...found, 'DEVELOPER_NOT_FOUND'];
  found.push('UNVERIFIED_ACCOUNT', 'TWO_FACTOR_REQUIRED');
  if (access === 'verified') return found;
  if (access.of === 'project') found.push('NOT_A_MEMBER');
  if (access.role !== 'viewer') found.push('ROLE_TOO_LOW');
  return found;
}

const authentication = (baseUrl: string): Convention => ({
  title: 'Authentication',
  text: html`<p>A session is a cookie that scripts cannot read. Sign in once and store the cookie in a file:</p>
<pre><code>curl -X POST ${baseUrl}/auth/password \\
  -b cookies.txt -c cookies.txt \\
  -H 'X-Console-Guard: 1' -H 'Content-Type: application/json' \\
  -d '{"orgId":"default","email":"ada@example.com","password":"…"}'</code></pre>
<p>Scripts and pipelines use an access token instead, created under Account in the console. It stands for you in the projects and within the scope it was created with, and needs neither a cookie nor <code>X-Console-Guard</code>:</p>
<pre><code>curl ${baseUrl}/projects -H 'Authorization: Bearer mor_…'</code></pre>
<p>Back ends use a key of the project and the <a href="/docs/service">service API</a>.</p>
<p>With a session, send <code>X-Console-Guard: 1</code> with every call that changes something. It protects against cross-site request forgery, because browsers do not let pages from other sites add the header. Calls from another origin work only if an operator has registered it.</p>`,
});
