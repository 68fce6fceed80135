import { type FailureClass, failureClasses, updateCodes } from '#contract/deviceProtocol.ts';
import { stateBytesMax } from '#contract/deviceState.ts';
import { logFileBytesMax, prefixesMax } from '#contract/logRequest.ts';
import { connackCodes } from '#mqtt/mqttPacket.ts';
import { overflowKey, reopenWithinMinutes, unresolvedMax } from '#rules/devices/alertLimits.ts';
import {
  entitiesMax,
  packetBytesMax,
  pollAgainMs,
  pollWaitMs,
  subscriptionsMax,
} from '#rules/devices/gatewayLimits.ts';
import { eventNameMax } from '#rules/eventNames.ts';
import { type Html, html } from '#server/api/pages/html.ts';

const meanings: Record<keyof typeof connackCodes, string> = {
  accepted:
    'Accepted. The session is always new (session present is 0), so subscribe again after each connection.',
  unacceptableVersion:
    'The client speaks another version: MQTT 5 and 3.1 are refused. Set your client to MQTT 3.1.1 (protocol level 4).',
  identifierRejected: 'The client id is longer than 128 characters, or empty without a clean session.',
  serverUnavailable:
    'The server cannot accept connections, or the device connects too often. Try again later.',
  badCredentials: 'The device id or the key is wrong, or a temporary key has expired.',
  notAuthorized: 'The device is suspended, or its will has a topic that is not its own.',
};

/** The meaning of CONNACK codes on this platform. */
export function connackTable(): Html {
  return html`<h2 id="answers-to-connect">Answers to CONNECT</h2>
<div class="scroll"><table class="fields"><tbody>
${Object.entries(connackCodes).map(
  ([name, code]) =>
    html`<tr><th scope="row"><code>${code}</code></th><td>${meanings[name as keyof typeof connackCodes]}</td></tr>
`,
)}</tbody></table></div>
<p>After a refusal the connection is closed. The device’s system log and its health check name the reason, if the device is known.</p>`;
}

/** Rules for names, numbers, times and sizes. */
export function valueRules(): Html {
  return html`<h2 id="names-and-values">Names and values</h2>
<p><b>Names</b> of events and commands have up to ${eventNameMax} characters: words of the letters A–Z and a–z and digits, joined by single <code>-</code> or <code>_</code>, starting with a letter (<code>door-opened</code>); the whole name can be wrapped in underscores (<code>_boot_</code>). The names of entities have up to 63 letters, digits, <code>-</code> and <code>_</code>, with a letter or digit at both ends.</p>
<p><b>Numbers</b> are double-precision: integers are exact up to ±9,007,199,254,740,991, and fractions have about 16 digits. A number that would change when read back is rejected with <code>MALFORMED</code>; send longer integers, such as 64-bit counters, as strings.</p>
<p><b>Times</b> are RFC 3339 in UTC with exactly three digits of milliseconds: <code>2026-11-20T08:30:00.000Z</code>.</p>
<p><b>Sizes:</b> the reported and the desired state can each be up to ${stateBytesMax / 1024} KiB of JSON; a device has up to ${entitiesMax} entities, reported all at once in one packet of at most ${packetBytesMax / 1024} KiB. A connection can hold ${subscriptionsMax} subscriptions. Objects cannot be nested more than 100 levels deep, nor contain a member twice.</p>
<p><b>Alerts:</b> an event with a member <code>_alert</code> raises one: <code>severity</code> is <code>info</code>, <code>warning</code> or <code>critical</code>, and <code>text</code> has up to 500 characters. Until it is resolved, further events with that name count as the same alert, which shows the text of the latest. A <code>key</code> of up to 100 characters, such as a room, tells alerts with the same name apart, or combines alerts with different names. <code>{"_alert":{"resolved":true}}</code>, with the key if there is one, resolves it; an alert that is reported again within ${reopenWithinMinutes} minutes is reopened. A device has up to ${unresolvedMax} unresolved alerts; further ones are counted in a single alert with the key <code>${overflowKey}</code>.</p>`;
}

/** The format of the device's own log. */
export function logRules(): Html {
  return html`<h2 id="logs">Logs</h2>
<p>Levels are numbers: <code>0</code> error, <code>1</code> warning, <code>2</code> info, <code>3</code> debug. Answer a log request by PUTting the lines to <code>uploadUrl</code>, one JSON object per line, gzipped or plain, oldest first:</p>
<pre><code>{"ts":"2026-11-20T08:30:00.000Z","level":2,"text":"wifi: connected"}
{"ts":"2026-11-20T08:30:04.120Z","level":1,"text":"wifi: weak signal"}</code></pre>
<p>Send the lines with <code>start</code> ≤ <code>ts</code> &lt; <code>end</code> whose <code>text</code> begins with one of the <code>prefixes</code>, which are case-sensitive. Without prefixes, send all lines; a request has at most ${prefixesMax}.</p>
<p>The URL authorizes itself: send no <code>Authorization</code> header. The response is 204 once the log is stored, even if the body is empty, which means that there are no lines. A log can be up to ${logFileBytesMax / 1024 / 1024} MiB as sent, and a line up to 1 MiB. If the body is not a log, the response is 422 and the request fails; after 409, the request is closed. Retry after a lost connection, 429 or 503.</p>`;
}

/** HTTP, for devices without MQTT. */
export function httpRules(httpUrl: string): Html {
  return html`<h2 id="without-mqtt">Without MQTT</h2>
<p>Topics with an HTTP equivalent list it below. A POST is answered with 204 once the message is stored. Errors have the shape <code>{"reason", "message"}</code>, as in the <a href="/docs#errors">developer API</a>. After 429 and 503, wait for the seconds given in <code>Retry-After</code> and repeat the call. 503 means that a message was not stored within 10 seconds; it may still be stored.</p>
<p><code>GET ${httpUrl}/commands</code> is a long poll: it responds as soon as there are commands, with a list of up to 32, or with an empty list after ${pollWaitMs.default / 1000} seconds. <code>?waitMs=</code> sets a different time, up to ${pollWaitMs.most.toLocaleString('en')}. Poll again immediately: the device counts as connected while a poll waits and for five seconds after it. A newer poll ends an older one with an empty list. A command that was fetched but not answered on <code>results/{id}</code> is delivered again after ${pollAgainMs / 1000} seconds, with the same id, until it is answered or expires.</p>
<pre><code>[{"id":"cmd_01k9x3m2h4e6d8b0a2c4e6g8j0","name":"blink","args":{"seconds":5},"expiresAt":"2026-11-20T08:30:00.000Z"}]</code></pre>
<p>Log requests are delivered over MQTT only.</p>`;
}

const afterwards: Record<FailureClass, string> = {
  transient: 'Retried after 1 minute, doubling up to 6 hours, indefinitely.',
  unable: 'Retried every 6 hours.',
  integrity: 'Retried twice, from the beginning. Counts against a rollout.',
  final: 'Not retried automatically. Counts against a rollout. This includes all custom codes.',
  choice: 'Retried at the time the device gives, after 30 days at most.',
};

/** What a device must do about its target. */
export function firmwareRules(): Html {
  return html`<h2 id="firmware">Firmware</h2>
<p><code>target</code> is what the device should run. It is a desired state, not a job: a device that was offline follows it when it returns. Its <code>sequence</code> increases when the bundle changes; include it in every report, because a report about an older target has no effect. An update is done only when the device reports <code>installed</code> with the bundle.</p>
<ol>
<li>Check the class, the signatures, the <code>securityVersion</code> and the space, and which components differ by their SHA-256. If none differs, report <code>installed</code>.</li>
<li>Download what differs, with range requests, and store the offset. 206: continue. 200: start over, never append. 416: let the checksum decide. 403: read the target again. 429, 503: wait for <code>Retry-After</code>.</li>
<li>Verify the SHA-256 of what was written, and read the target again with <code>GET target</code>. If the sequence has changed, discard everything and follow the new target.</li>
<li>Install with a boot-once mark and reboot. The new version has 5 minutes to pass its self-test, connect and report <code>installed</code>, and makes itself permanent once that is acknowledged. Otherwise, the boot loader restores the old version, which reports <code>failed</code> with <code>rolled_back</code> and never tries this sequence again.</li>
</ol>
<p>If it fails, report <code>failed</code> with a code and, as <code>error</code>, a readable message:</p>
<div class="scroll"><table class="fields"><tbody>
${failureClasses.map(
  kind =>
    html`<tr><th scope="row">${kind}</th><td>${codesOf(kind)}</td><td>${afterwards[kind]}</td></tr>
`,
)}</tbody></table></div>`;
}

function codesOf(kind: FailureClass): Html[] {
  return Object.entries(updateCodes)
    .filter(([, its]) => its === kind)
    .map(([code]) => html`<code>${code}</code> `);
}
