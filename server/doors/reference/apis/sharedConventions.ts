import { limitMax, pageSizeDefault } from '#contract/paging.ts';
import { html } from '#server/api/pages/html.ts';
import type { Convention } from './api.ts';

export const requestsAndResponses: Convention = {
  title: 'Requests and responses',
  text: html`<p>JSON in UTF-8, field names in camelCase. Times are RFC 3339 in UTC with milliseconds, <code>2026-11-20T09:46:00.000Z</code>. Optional fields without a value are omitted, never <code>null</code>. Unknown fields are rejected by name. Every response has an <code>X-Request-Id</code>: quote it when you report a problem.</p>`,
};

export const errors: Convention = {
  title: 'Errors',
  text: html`<p>All errors have the same shape. <code>reason</code> is for programs and listed <a href="#reasons">below</a>, <code>message</code> is for people, and <code>fields</code> holds the errors of single fields.</p>
<pre><code>{
  "reason": "INVALID_FIELDS",
  "message": "Some fields are not valid. Correct them and send the request again.",
  "fields": { "email": "INVALID" }
}</code></pre>`,
};

export const lists: Convention = {
  title: 'Lists',
  text: html`<p>A list returns an array of ${pageSizeDefault} rows by default. The total is in a header: <code>Content-Range: items 0-24/1034</code>, or <code>items */0</code> for an empty list. With <code>Total-Is-Lower-Bound: 1</code> there are at least that many. Long lists also send <code>Next-Cursor</code>, which gets the next page as <code>cursor</code>.</p>
<div class="scroll"><table class="fields"><thead class="quiet"><tr><th scope="col">Parameter</th><th scope="col">Meaning</th></tr></thead><tbody>
<tr><th scope="row"><code>limit</code></th><td>The number of rows to return, 1 to ${limitMax}</td></tr>
<tr><th scope="row"><code>skip</code></th><td>The number of rows to skip. Past the end, the call fails with <a class="code" href="#reason-INVALID_RANGE">INVALID_RANGE</a></td></tr>
<tr><th scope="row"><code>sortBy</code></th><td>A field and a direction: <code>name:asc</code>, <code>createdAt:desc</code></td></tr>
<tr><th scope="row"><code>search</code></th><td>Text to search for, ignoring case and accents</td></tr>
</tbody></table></div>`,
};

export const concurrentChanges: Convention = {
  title: 'Concurrent changes',
  text: html`<p>Everything you can edit has a <code>revision</code>. To avoid lost updates, send the revision you read as <code>If-Match: "3"</code>: if someone else has changed the resource since, nothing is written and the call fails with <a class="code" href="#reason-STALE">STALE</a>.</p>`,
};

export const idempotentRequests: Convention = {
  title: 'Idempotent requests',
  text: html`<p>Send an <code>Idempotency-Key</code>, any unique text, with a <code>POST</code>. If the response is lost, repeat the request with the same key: within 24 hours it returns the first response, and nothing is created twice.</p>`,
};

export const tooMany = html`fail with <a class="code" href="#reason-TOO_MANY_REQUESTS">TOO_MANY_REQUESTS</a> and <code>Retry-After</code> in seconds.`;
