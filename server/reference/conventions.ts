import { limitMax, pageSizeDefault } from '#contract/paging.ts';
import { type Html, html } from '#server/pages/html.ts';

export const conventionTitles = [
  'Signing in',
  'Requests and answers',
  'Errors',
  'Lists',
  'Lost updates',
  'Repeating a request',
  'Limits',
] as const;

/** What holds for every call. */
export function conventions({ baseUrl }: { baseUrl: string }): Html {
  return html`<section class="conventions" id="conventions" aria-label="Conventions">
<h2 id="signing-in">Signing in</h2>
<p>A session is a cookie that scripts in a page cannot read. Sign in once and keep it in a file:</p>
<pre><code>curl -X POST ${baseUrl}/auth/password \\
  -b cookies.txt -c cookies.txt \\
  -H 'X-Console-Guard: 1' -H 'Content-Type: application/json' \\
  -d '{"orgId":"default","email":"ada@example.com","password":"…"}'</code></pre>
<p>Every call that changes something carries <code>X-Console-Guard: 1</code>. Browsers do not let a foreign page add a header, so nobody else’s page can act with your cookie. Calls from another origin work only where an operator registered it.</p>

<h2 id="requests-and-answers">Requests and answers</h2>
<p>JSON in UTF-8, field names in camelCase. Times are RFC 3339 in UTC with milliseconds, <code>2026-11-20T09:46:00.000Z</code>. What is optional and not there is left out, never <code>null</code>. A field that does not exist is refused with its name. Every answer has an <code>X-Request-Id</code>: quote it when you report a fault.</p>

<h2 id="errors">Errors</h2>
<p>Whatever fails answers in one form. <code>reason</code> is for programs and listed <a href="#reasons">below</a>, <code>message</code> is for people, <code>fields</code> names what is wrong with single fields.</p>
<pre><code>{
  "reason": "INVALID_FIELDS",
  "message": "Some fields are not valid. Correct the marked ones and send again.",
  "fields": { "email": "INVALID" }
}</code></pre>

<h2 id="lists">Lists</h2>
<p>A list answers an array, ${pageSizeDefault} rows unless asked otherwise. The total stands in a header: <code>Content-Range: items 0-24/1034</code>, or <code>items */0</code> when there is none. With <code>Total-Is-Lower-Bound: 1</code> there are at least that many.</p>
<div class="scroll"><table class="fields"><thead class="quiet"><tr><th scope="col">Parameter</th><th scope="col">Meaning</th></tr></thead><tbody>
<tr><th scope="row"><code>limit</code></th><td>How many rows, 1 to ${limitMax}</td></tr>
<tr><th scope="row"><code>skip</code></th><td>How many to leave out before the first. Past the end answers <a class="code" href="#reason-INVALID_RANGE">INVALID_RANGE</a></td></tr>
<tr><th scope="row"><code>sortBy</code></th><td>A field and a direction: <code>name:asc</code>, <code>createdAt:desc</code></td></tr>
<tr><th scope="row"><code>search</code></th><td>Text to look for, whatever its case and accents</td></tr>
</tbody></table></div>

<h2 id="lost-updates">Lost updates</h2>
<p>Whatever can be edited carries a <code>revision</code>. Send the one you read as <code>If-Match: "3"</code> with a change: if somebody was faster, nothing is changed and the call answers <a class="code" href="#reason-STALE">STALE</a>.</p>

<h2 id="repeating-a-request">Repeating a request</h2>
<p>When an answer got lost, send a <code>POST</code> again with the same <code>Idempotency-Key</code>, any text of your own. Within 24 hours it answers as the first did, and nothing is made twice.</p>

<h2 id="limits">Limits</h2>
<p>Who calls too often is answered <a class="code" href="#reason-TOO_MANY_REQUESTS">TOO_MANY_REQUESTS</a> with <code>Retry-After</code> in seconds. Some calls have a bound of their own, named with them.</p>
</section>`;
}
