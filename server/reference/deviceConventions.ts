import { connectionsMax } from '#contract/device.ts';
import {
  connectWithinS,
  keepAliveMaxS,
  messageBurst,
  messagesPerS,
  packetBytesMax,
  throttledMaxS,
} from '#contract/deviceProtocol.ts';
import type { Gateway } from '#contract/gateway.ts';
import { type Html, html } from '#server/pages/html.ts';
import { example } from './deviceCommands.ts';

export const deviceConventionTitles = [
  'Connecting',
  'Topics',
  'Delivery',
  'State',
  'Commands',
  'Limits',
  'Without MQTT',
] as const;

/** What holds for every message. */
export function deviceConventions({ mqtt, websocketUrl, httpUrl }: Gateway): Html {
  return html`<section class="conventions" id="conventions" aria-label="Conventions">
<h2 id="connecting">Connecting</h2>
<p>The user name is the device’s id, the password its API key, or a temporary key that lasts an hour. The client id is free: a second connection with the same one takes over from the first, and up to ${connectionsMax} different ones may be connected at once.</p>
<div class="scroll"><table class="fields"><tbody>
${mqtt && html`<tr><th scope="row">MQTT 3.1.1</th><td><code>${mqtt.tls ? 'mqtts' : 'mqtt'}://${mqtt.host}:${mqtt.port}</code></td></tr>`}
<tr><th scope="row">over WebSocket</th><td><code>${websocketUrl}</code>, subprotocol <code>mqtt</code></td></tr>
<tr><th scope="row">HTTP</th><td><code>${httpUrl}</code>, Basic authentication</td></tr>
</tbody></table></div>
${
  mqtt &&
  html`<p>In one terminal, hear everything that is said to the device:</p>
<pre><code>mosquitto_sub -h ${mqtt.host} -p ${mqtt.port}${mqtt.tls && ' --capath /etc/ssl/certs'} \\
  -u ${example.deviceId} -P ${example.apiKey} \\
  -q 1 -v -t 'd/${example.deviceId}/#'</code></pre>`
}
<p>No session outlives its connection: subscribe after each CONNACK, clean session or not. What waited is sent then.</p>

<h2 id="topics">Topics</h2>
<p>A device writes and hears only below its own prefix <code>d/{deviceId}/</code>. Whoever publishes elsewhere is disconnected; a subscription to something foreign is refused. Wildcards are welcome in subscriptions below the prefix. Payloads are JSON in UTF-8.</p>

<h2 id="delivery">Delivery</h2>
<p>At quality of service 1 a message is acknowledged when it is kept on disk, and not before. What was not acknowledged is to be sent again. A message that cannot be taken is acknowledged as well, since to send it again would change nothing; <code>rejected</code> says why, before the acknowledgement. So are messages with the retain flag or at quality of service 2, which are not taken; a subscription at 2 is granted as 1.</p>
<p>A will is taken for topics that the device may publish to itself. When the connection ends without DISCONNECT it is kept like any other message of the device, whatever it asks of retention and quality of service.</p>

<h2 id="state">State</h2>
<p>A device reports what changed; the platform merges it. What is desired is sent whole in <code>desired</code>, what of it is still to do in <code>delta</code>. Once the device reports it, the delta is empty.</p>

<h2 id="commands">Commands</h2>
<p>A command waits for a device that is away until it expires. It is <em>sent</em> when it went out, <em>acknowledged</em> when the device’s client took it, and <em>done</em> or <em>failed</em> only when the device answered. One that was not acknowledged comes again after the next connection, with the same id.</p>

<h2 id="limits">Limits</h2>
<p>Packets up to ${packetBytesMax / 1024} KiB. ${messagesPerS} messages a second, ${messageBurst} at once, unless the project's options say otherwise: what is more waits, and after ${throttledMaxS} seconds of that the connection ends. CONNECT is expected within ${connectWithinS} seconds, a sign of life within one and a half times the keep-alive time, which is at most ${keepAliveMaxS} seconds.</p>

<h2 id="without-mqtt">Without MQTT</h2>
<p>The same over HTTP, where the table says so. <code>GET ${httpUrl}/commands</code> waits for the next command; the device is connected while it does. Errors answer <code>{"reason", "message"}</code> as in the <a href="/docs#errors">developer API</a>.</p>
</section>`;
}
