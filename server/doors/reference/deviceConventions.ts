import type { Gateway } from '#contract/gateway.ts';
import { keepAliveMaxS } from '#rules/devices/disconnectAfter.ts';
import {
  connectBurst,
  connectEveryS,
  connectionsMax,
  connectWithinS,
  messageBurst,
  messagesPerS,
  packetBytesMax,
  throttledMaxS,
} from '#rules/devices/gatewayLimits.ts';
import { type Html, html } from '#server/api/pages/html.ts';
import { example } from './deviceCommands.ts';
import { connackTable, firmwareRules, httpRules, logRules, valueRules } from './deviceDetails.ts';

export const deviceConventionTitles = [
  'Connecting',
  'Answers to CONNECT',
  'Topics',
  'Delivery',
  'State',
  'Commands',
  'Firmware',
  'Names and values',
  'Logs',
  'Limits',
  'Without MQTT',
] as const;

/** The rules for all messages. */
export function deviceConventions({ mqtt, websocketUrl, httpUrl }: Gateway): Html {
  return html`<section class="conventions" id="conventions" aria-label="Conventions">
<h2 id="connecting">Connecting</h2>
<p>The user name is the device id; the password is its API key, or a temporary key that is valid for one hour. Use the device id as client id: a new connection takes over from an older one with the same client id, so a device that lost its power without closing its connection returns at once. Programs that run beside it need client ids of their own. A device can have ${connectionsMax} connections; opening another closes the one that has been silent the longest. Commands, desired state and configuration go to all of them, and the first answer to a command counts; later ones are acknowledged and ignored.</p>
<div class="scroll"><table class="fields"><tbody>
${mqtt && html`<tr><th scope="row">MQTT 3.1.1</th><td><code>${mqtt.tls ? 'mqtts' : 'mqtt'}://${mqtt.host}:${mqtt.port}</code></td></tr>`}
<tr><th scope="row">MQTT over WebSocket</th><td><code>${websocketUrl}</code>, subprotocol <code>mqtt</code></td></tr>
<tr><th scope="row">HTTP</th><td><code>${httpUrl}</code>, Basic authentication</td></tr>
</tbody></table></div>
${
  mqtt &&
  html`<p>To see every message for the device, run this in a terminal. Only <code>rejected</code> and <code>state/rejected</code> are missing: they go to the connection that sent the message, so a device subscribes to them itself.</p>
<pre><code>mosquitto_sub -h ${mqtt.host} -p ${mqtt.port}${mqtt.tls && ' --capath /etc/ssl/certs'} \\
  -i ${example.deviceId}-terminal -u ${example.deviceId} -P ${example.apiKey} \\
  -q 1 -v -t 'd/${example.deviceId}/#'</code></pre>`
}
<p>Sessions are not persistent: subscribe after each CONNACK, with or without a clean session. Queued messages are delivered then.</p>

${connackTable()}

<h2 id="topics">Topics</h2>
<p>A device can publish and subscribe only under its own prefix, <code>d/{deviceId}/</code>. Publishing elsewhere closes the connection; subscribing elsewhere is rejected. Subscriptions under the prefix can use wildcards. Payloads are JSON in UTF-8.</p>

<h2 id="delivery">Delivery</h2>
<p>At QoS 1, a message is acknowledged only once it is stored on disk. Retry messages that were not acknowledged. A rejected message is acknowledged too, because sending it again would not help; <code>rejected</code> gives the reason before the acknowledgement. Messages at QoS 2 are stored once, and the retain flag is ignored; a subscription at QoS 2 is granted QoS 1.</p>
<p>A will can use any topic the device can publish to. If the connection ends without DISCONNECT, the will is stored like any other message of the device, regardless of its retain flag and QoS.</p>

<h2 id="state">State</h2>
<p>A device reports what changed, and the platform merges it into the reported state. <code>desired</code> carries the full desired state, <code>delta</code> only what has not been reported yet. Once the device reports it, the delta is empty.</p>

<h2 id="commands">Commands</h2>
<p>If the device is offline, a command is queued until it expires. It is <em>sent</em> once it is on its way, <em>acknowledged</em> once the MQTT client of the device confirms it, and <em>done</em> or <em>failed</em> only when the device answers. A command that was not acknowledged is sent again after the next connection, with the same id; subscribe to commands at QoS 1, because nothing is acknowledged at QoS 0. A result that arrives after the command has expired is kept and shown as late.</p>

${firmwareRules()}

${valueRules()}

${logRules()}

<h2 id="limits">Limits</h2>
<p>A packet can be up to ${packetBytesMax / 1024} KiB. By default, a device can send ${messagesPerS} messages per second, with bursts of ${messageBurst}; the project options can change this. Further messages are held back; if most of them are at QoS 0, the connection is closed after ${throttledMaxS} seconds, while a backlog at QoS 1 is processed at the allowed rate. A device can connect ${connectBurst} times at once, and then every ${connectEveryS} seconds; a connection beyond that waits for up to five seconds, then gets CONNACK 3. CONNECT must arrive within ${connectWithinS} seconds, and then at least one packet in every one and a half keep-alive intervals. The interval is at most ${keepAliveMaxS} seconds.</p>

${httpRules(httpUrl)}
</section>`;
}
