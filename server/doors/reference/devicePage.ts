import { z } from 'zod';
import * as protocol from '#contract/deviceProtocol.ts';
import { type Topic, type TopicName, topics } from '#contract/deviceProtocol.ts';
import type { Gateway } from '#contract/gateway.ts';
import { type Html, html } from '#server/api/pages/html.ts';
import { page } from '#server/api/pages/page.ts';
import { code, titleOf } from './call.ts';
import { deviceCommandsOf } from './deviceCommands.ts';
import { deviceConventions, deviceConventionTitles } from './deviceConventions.ts';
import { fieldTable } from './fields.ts';
import type { JsonSchema } from './openApi/jsonSchema.ts';
import { stylesheets } from './referencePage.ts';

/** The device protocol on one page, generated from the table that the gateway itself uses. */
export function devicePage(gateway: Gateway): string {
  const up = named('up');
  const down = named('down');
  const main = html`<div class="reference">
<nav class="contents" aria-label="Contents">
${contentsGroup(
  'Conventions',
  deviceConventionTitles.map(title => [anchorOf(title), title]),
)}
${contentsGroup(
  'From the device',
  up.map(name => [`topic-${name}`, topics[name].pattern]),
)}
${contentsGroup(
  'To the device',
  down.map(name => [`topic-${name}`, topics[name].pattern]),
)}
${contentsGroup('Why a message is rejected', [])}
${contentsGroup('Why a connection ends', [])}
</nav>
<main id="main">
<header class="opening">
<h1>Device protocol</h1>
<p>How devices talk to Mooring: MQTT 3.1.1 with any client, over TCP or WebSocket, or plain HTTP. This page is generated from the definitions that the gateway validates messages against. <a href="/docs">Developer API</a></p>
</header>
${deviceConventions(gateway)}
${group('From the device', up, gateway)}
${group('To the device', down, gateway)}
${rejections}
${endings}
</main>
</div>`;
  return page({ title: 'Device protocol', stylesheets, main });
}

const named = (way: Topic['way']) =>
  (Object.keys(topics) as TopicName[]).filter(name => topics[name].way === way);

const anchorOf = (title: string) => title.toLowerCase().replace(/[^a-z0-9]+/g, '-');

function contentsGroup(title: string, links: (readonly [anchor: string, text: string])[]): Html {
  return html`<h2><a href="#${anchorOf(title)}">${title}</a></h2>${
    links.length > 0 &&
    html`<ul>${links.map(([anchor, text]) => html`<li><a href="#${anchor}">${text}</a></li>`)}</ul>`
  }`;
}

function group(title: string, names: TopicName[], gateway: Gateway): Html {
  return html`<section aria-labelledby="${anchorOf(title)}">
<h2 id="${anchorOf(title)}">${title}</h2>
${names.map(name => topicSection(name, gateway))}</section>`;
}

function topicSection(name: TopicName, gateway: Gateway): Html {
  const topic: Topic = topics[name];
  return html`<article class="call" id="topic-${name}" aria-labelledby="topic-${name}-title">
<div class="about">
<h3 id="topic-${name}-title"><a href="#topic-${name}">${titleOf({ name })}</a></h3>
<p class="address"><code><span class="muted">d/{deviceId}/</span>${patternText(topic.pattern)}</code></p>
<p>${prose(topic.summary)}</p>
<p class="muted">${service(topic)}</p>
${fields(topic)}
</div>
<div class="use">
<h4>Payload</h4>
${code(html`${JSON.stringify(topic.example, undefined, 2)}`)}
${topic.otherwise && html`<h4>${topic.otherwise.title}</h4>${code(html`${JSON.stringify(topic.otherwise.example, undefined, 2)}`)}`}
${deviceCommandsOf(topic, gateway).map(({ title, text }) => html`<h4>${title}</h4>${code(html`${text}`)}`)}
</div>
</article>
`;
}

function service({ way, retained, lossy, http }: Topic): string {
  const parts = [
    lossy ? 'QoS 0.' : way === 'up' ? 'QoS 0, 1 or 2.' : '',
    retained ? 'Retained: the current value is sent right after you subscribe.' : '',
    http ? `HTTP: ${http.replace(' ', ' /device/v1/')}.` : '',
  ];
  return parts.filter(Boolean).join(' ');
}

function fields({ payload }: Topic): Html | false {
  const schema = z.toJSONSchema(payload, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  if (Object.keys(schema.properties ?? {}).length === 0) return false;
  return html`<h4>Fields</h4>${fieldTable(schema, { marksRequired: true })}`;
}

const prose = (text: string): Html[] =>
  text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));

const patternText = (pattern: string): Html[] =>
  pattern
    .split(/(:\w+)/)
    .map(part => (part.startsWith(':') ? html`<var>{${part.slice(1)}}</var>` : html`${part}`));

const rejections = reasonTable({
  title: 'Why a message is rejected',
  lead: html`The device is notified on <code>state/rejected</code> or <code>rejected</code>, in the order of its messages and before the acknowledgement. Its <code>message</code> is more specific than the sentence here, and <code>faults</code> names each wrong value. Do not send the same message again.`,
  anchor: 'rejected',
  reasons: protocol.rejectReasons,
});

const endings = reasonTable({
  title: 'Why a connection ends',
  lead: html`MQTT 3.1.1 cannot tell the device why. The reason is shown on the device’s page and in its system log.`,
  anchor: 'reason',
  reasons: protocol.disconnectReasons,
});

function reasonTable(given: {
  title: string;
  lead: Html;
  anchor: string;
  reasons: Record<string, string>;
}): Html {
  const { title, lead, anchor, reasons } = given;
  return html`<section aria-labelledby="${anchorOf(title)}">
<h2 id="${anchorOf(title)}">${title}</h2>
<p class="lead">${lead}</p>
<div class="scroll"><table class="all-reasons">
<thead><tr><th scope="col">Reason</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${Object.entries(reasons).map(
  ([reason, sentence]) =>
    html`<tr id="${anchor}-${reason}"><th scope="row"><a class="code" href="#${anchor}-${reason}">${reason}</a></th><td>${sentence}</td></tr>
`,
)}</tbody></table></div>
</section>`;
}
