import { overflowKey, reopenWithinMinutes, unresolvedMax } from '#contract/alert.ts';
import {
  entitiesMax,
  type FailureClass,
  failureClasses,
  packetBytesMax,
  pollAgainMs,
  pollWaitMs,
  subscriptionsMax,
  updateCodes,
} from '#contract/deviceProtocol.ts';
import { stateBytesMax } from '#contract/deviceState.ts';
import { logFileBytesMax, prefixesMax } from '#contract/logRequest.ts';
import { connackCodes } from '#mqtt/mqttPacket.ts';
import { eventNameMax } from '#rules/eventNames.ts';
import { type Html, html } from '#server/pages/html.ts';

const meanings: Record<keyof typeof connackCodes, string> = {
  accepted:
    'Accepted. The session is always new (session present is 0), so subscribe again after each connection.',
  unacceptableVersion:
    'The client speaks another version: MQTT 5 and 3.1 are refused. Set your client to MQTT 3.1.1 (protocol level 4).',
  identifierRejected: 'The client id is longer than 128 characters, or empty without a clean session.',
  serverUnavailable:
    'The server cannot accept connections, or the device connects too often. Try again later.',
  badCredentials: 'The device id or the key is wrong, or a temporary key has expired.',
  notAuthorized: 'The device is suspended, or the topic of its will is not its own.',
};

/** What CONNACK says, in the words of this platform. */
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
<p><b>Names</b> of events and commands have up to ${eventNameMax} characters: words of the letters A–Z and a–z and digits, joined by single <code>-</code> or <code>_</code>, starting with a letter (<code>door-opened</code>); the whole can stand between underscores (<code>_boot_</code>). The names of entities have up to 63 letters, digits, <code>-</code> and <code>_</code>, with a letter or digit at both ends.</p>
<p><b>Numbers</b> are double-precision: integers are exact up to ±9,007,199,254,740,991, and fractions have about 16 digits. A number that would be read back as another one is rejected with <code>MALFORMED</code>; send longer integers, such as 64-bit counters, as strings.</p>
<p><b>Times</b> are RFC 3339 in UTC with exactly three digits of milliseconds: <code>2026-11-20T08:30:00.000Z</code>.</p>
<p><b>Sizes:</b> the reported and the desired state have up to ${stateBytesMax / 1024} KiB each, as JSON; a device has up to ${entitiesMax} entities, reported all at once in one packet of at most ${packetBytesMax / 1024} KiB. A connection can hold ${subscriptionsMax} subscriptions. Objects cannot be nested more than 100 levels deep, nor contain a member twice.</p>
<p><b>Alerts:</b> an event with a member <code>_alert</code> raises one: <code>severity</code> is <code>info</code>, <code>warning</code> or <code>critical</code>, and <code>text</code> has up to 500 characters. Until it is resolved, further events of that name are the same alert, which counts them and takes the text of the last. A <code>key</code> of up to 100 characters, such as a room, tells alerts of one name apart and joins those of several. <code>{"_alert":{"resolved":true}}</code>, with the key where there is one, resolves it; one that is reported again within ${reopenWithinMinutes} minutes is opened again. A device has up to ${unresolvedMax} unresolved alerts; further ones are counted as one with the key <code>${overflowKey}</code>.</p>`;
}

/** How the device's own log is written. */
export function logRules(): Html {
  return html`<h2 id="logs">Logs</h2>
<p>Levels are numbers: <code>0</code> error, <code>1</code> warning, <code>2</code> info, <code>3</code> debug. A log request is answered by a PUT of the lines to <code>uploadUrl</code>, one JSON object per line, gzipped or plain, oldest first:</p>
<pre><code>{"ts":"2026-11-20T08:30:00.000Z","level":2,"text":"wifi: connected"}
{"ts":"2026-11-20T08:30:04.120Z","level":1,"text":"wifi: weak signal"}</code></pre>
<p>Send the lines with <code>start</code> ≤ <code>ts</code> &lt; <code>end</code> whose <code>text</code> begins with one of the <code>prefixes</code>, compared character by character, upper and lower case apart. Without prefixes, send all lines; there are at most ${prefixesMax}.</p>
<p>The address is its own permission: send no <code>Authorization</code>. It answers 204 once the log is stored, also to an empty body, which says that there are no lines. A log has up to ${logFileBytesMax / 1024 / 1024} MiB as sent, and a line up to 1 MiB. What is no log is answered with 422 and fails the request, and after 409 the request is over; send again after a broken connection, 429 or 503.</p>`;
}

/** HTTP, for devices without MQTT. */
export function httpRules(httpUrl: string): Html {
  return html`<h2 id="without-mqtt">Without MQTT</h2>
<p>Topics with an HTTP equivalent list it below. A POST is answered with 204 once the message is stored. Errors have the shape <code>{"reason", "message"}</code>, as in the <a href="/docs#errors">developer API</a>; 429 says in <code>Retry-After</code> when to try again.</p>
<p><code>GET ${httpUrl}/commands</code> is a long poll: it answers as soon as a command is there, with a list of up to 32 in the form of the command below with its name, and with an empty list after ${pollWaitMs.default / 1000} seconds. <code>?waitMs=</code> sets another time, up to ${pollWaitMs.most.toLocaleString('en')}. Poll again right away: the device counts as connected while a poll waits and for five seconds after it. A newer poll ends an older one with an empty list. A command that was fetched but not answered on <code>results/{id}</code> is delivered again after ${pollAgainMs / 1000} seconds, with the same id, until it is answered or expires.</p>
<pre><code>[{"id":"cmd_01k9x3m2h4e6d8b0a2c4e6g8j0","name":"blink","args":{"seconds":5},"expiresAt":"2026-11-20T08:30:00.000Z"}]</code></pre>
<p>Log requests come over MQTT only.</p>`;
}

const afterwards: Record<FailureClass, string> = {
  transient: 'Tried again after a minute, then after twice as long each time, up to 6 hours, without end.',
  unable: 'Tried again every 6 hours.',
  integrity: 'Tried twice more, from the start. Counts against a rollout.',
  final: 'Not tried again by itself. Counts against a rollout. So does every code of your own.',
  choice: 'Asked again at the time the device names, after 30 days at most.',
};

/** What a device does about its target. */
export function firmwareRules(): Html {
  return html`<h2 id="firmware">Firmware</h2>
<p><code>target</code> is what the device is to run. It is a level, not a job: a device that was away follows it when it returns. Its <code>sequence</code> rises when the bundle changes; send it back in every report, because a report about an older one changes nothing. Only <code>installed</code> with the bundle makes an update done.</p>
<ol>
<li>Check the class, the signatures, the <code>securityVersion</code> and the space, and which components differ by their SHA-256. If none does, report <code>installed</code>.</li>
<li>Download what differs, with range requests, and store how far you are. 206: go on. 200: begin at 0, never append. 416: the checksum tells. 403: read the target again. 429 and 503: wait for <code>Retry-After</code>.</li>
<li>Verify the SHA-256 of what was written, and read the target again with <code>GET target</code>. If the sequence is another, drop this one.</li>
<li>Install with a boot-once mark and reboot. The new version has 5 minutes for its self-test, to connect and to report <code>installed</code>, and makes itself permanent once that is acknowledged. If not, the boot loader goes back, the old version reports <code>failed</code> with <code>rolled_back</code>, and never tries this sequence again.</li>
</ol>
<p>If it fails, report <code>failed</code> with a code, and a sentence for people as <code>error</code>:</p>
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
