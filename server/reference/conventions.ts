import { limitMax, pageSizeDefault } from '#contract/paging.ts';
import { type Html, html } from '#server/pages/html.ts';

export const conventionTitles = [
  'Authentication',
  'Requests and responses',
  'Errors',
  'Lists',
  'Concurrent changes',
  'Idempotent requests',
  'Rate limits',
] as const;

/** What holds for every call. */
export function conventions({ baseUrl }: { baseUrl: string }): Html {
  return html`<section class="conventions" id="conventions" aria-label="Conventions">
<h2 id="authentication">Authentication</h2>
<p>A session is a cookie that scripts cannot read. Sign in once and store the cookie in a file:</p>
<pre><code>curl -X POST ${baseUrl}/auth/password \\
  -b cookies.txt -c cookies.txt \\
  -H 'X-Console-Guard: 1' -H 'Content-Type: application/json' \\
  -d '{"orgId":"default","email":"ada@example.com","password":"…"}'</code></pre>
<p>Scripts and pipelines use an access token instead, created under Account in the console. It stands for you in the projects and within the scope it was created with, and needs neither a cookie nor <code>X-Console-Guard</code>:</p>
<pre><code>curl ${baseUrl}/projects -H 'Authorization: Bearer mor_…'</code></pre>
<p>With a session, send <code>X-Console-Guard: 1</code> with every call that changes something. It protects against cross-site request forgery, because browsers do not let a foreign page add the header. Calls from another origin work only if an operator has registered it.</p>

<h2 id="requests-and-responses">Requests and responses</h2>
<p>JSON in UTF-8, field names in camelCase. Times are RFC 3339 in UTC with milliseconds, <code>2026-11-20T09:46:00.000Z</code>. Optional fields without a value are omitted, never <code>null</code>. Unknown fields are rejected by name. Every response has an <code>X-Request-Id</code>: quote it when you report a problem.</p>

<h2 id="errors">Errors</h2>
<p>All errors have the same shape. <code>reason</code> is for programs and listed <a href="#reasons">below</a>, <code>message</code> is for people, and <code>fields</code> holds the errors of single fields.</p>
<pre><code>{
  "reason": "INVALID_FIELDS",
  "message": "Some fields are not valid. Correct them and send the request again.",
  "fields": { "email": "INVALID" }
}</code></pre>

<h2 id="lists">Lists</h2>
<p>A list returns an array of ${pageSizeDefault} rows by default. The total is in a header: <code>Content-Range: items 0-24/1034</code>, or <code>items */0</code> for an empty list. With <code>Total-Is-Lower-Bound: 1</code> there are at least that many.</p>
<div class="scroll"><table class="fields"><thead class="quiet"><tr><th scope="col">Parameter</th><th scope="col">Meaning</th></tr></thead><tbody>
<tr><th scope="row"><code>limit</code></th><td>The number of rows to return, 1 to ${limitMax}</td></tr>
<tr><th scope="row"><code>skip</code></th><td>The number of rows to skip. Past the end, the call fails with <a class="code" href="#reason-INVALID_RANGE">INVALID_RANGE</a></td></tr>
<tr><th scope="row"><code>sortBy</code></th><td>A field and a direction: <code>name:asc</code>, <code>createdAt:desc</code></td></tr>
<tr><th scope="row"><code>search</code></th><td>Text to search for, ignoring case and accents</td></tr>
</tbody></table></div>

<h2 id="concurrent-changes">Concurrent changes</h2>
<p>Everything you can edit has a <code>revision</code>. To avoid lost updates, send the revision you read as <code>If-Match: "3"</code>: if someone else has changed the resource since, nothing is written and the call fails with <a class="code" href="#reason-STALE">STALE</a>.</p>

<h2 id="idempotent-requests">Idempotent requests</h2>
<p>Send an <code>Idempotency-Key</code>, any unique text, with a <code>POST</code>. If the response is lost, repeat the request with the same key: within 24 hours it returns the first response, and nothing is created twice.</p>

<h2 id="rate-limits">Rate limits</h2>
<p>Too many calls fail with <a class="code" href="#reason-TOO_MANY_REQUESTS">TOO_MANY_REQUESTS</a> and <code>Retry-After</code> in seconds. Some calls have a limit of their own, documented with the call.</p>
</section>`;
}
