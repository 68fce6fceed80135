import { callsOf, endpoints, nouns } from '#contract/all.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { type Reason, reasons } from '#contract/problem.ts';
import { type Html, html } from '#server/pages/html.ts';
import { page } from '#server/pages/page.ts';
import { type JsonSchema, namedSchemas } from '#server/reference/jsonSchema.ts';
import { callSection, titleOf } from './call.ts';
import { conventions, conventionTitles } from './conventions.ts';
import { fieldTable } from './fields.ts';

/** The whole reference on one page, so that the browser's own search finds everything. */
export function referencePage({ baseUrl }: { baseUrl: string }): string {
  const named = namedSchemas(endpoints.map(({ answer }) => answer));
  const groups = Object.entries(nouns).map(([title, noun]) => ({
    title,
    calls: callsOf(noun),
  }));
  const main = html`<div class="reference">
${contents(groups)}
<main id="main">
<header class="opening">
<h1>Developer API</h1>
<p>The API behind the console, open to your scripts as well. This reference is generated from the contract that the server validates requests against. <a href="/docs/devices">Device protocol</a> · <a href="/api/openapi.json">OpenAPI 3.1 document</a></p>
</header>
${conventions({ baseUrl })}
${groups.map(group => groupSection(group, { named, baseUrl }))}
${shapesSection(named)}
${reasonsSection}
</main>
</div>`;
  return page({ title: 'API reference', stylesheets, main });
}

interface Group {
  title: string;
  calls: Endpoint[];
}

const anchorOf = (title: string) => title.toLowerCase().replace(/[^a-z0-9]+/g, '-');

function contents(groups: Group[]): Html {
  const conventionLinks = conventionTitles.map(title => contentsLink(anchorOf(title), title));
  return html`<nav class="contents" aria-label="Contents">
${contentsGroup('Conventions', conventionLinks)}
${groups.map(({ title, calls }) =>
  contentsGroup(
    title,
    calls.map(call => contentsLink(call.name, titleOf(call), call.method)),
  ),
)}
${contentsGroup('Shapes', [])}
${contentsGroup('Reasons', [])}
</nav>`;
}

function contentsGroup(title: string, links: Html[]): Html {
  return html`<h2><a href="#${anchorOf(title)}">${title}</a></h2>${links.length > 0 && html`<ul>${links}</ul>`}`;
}

function contentsLink(anchor: string, title: string, verb?: string): Html {
  return html`<li><a href="#${anchor}">${title}${verb && html`<span class="verb">${verb}</span>`}</a></li>`;
}

function groupSection(
  { title, calls }: Group,
  given: { named: Record<string, JsonSchema>; baseUrl: string },
): Html {
  return html`<section aria-labelledby="${anchorOf(title)}">
<h2 id="${anchorOf(title)}">${title}</h2>
${calls.map(call => callSection(call, given))}</section>`;
}

function shapesSection(named: Record<string, JsonSchema>): Html {
  return html`<section aria-labelledby="shapes">
<h2 id="shapes">Shapes</h2>
<p class="lead">The objects that responses consist of.</p>
${Object.entries(named).map(
  ([name, schema]) => html`<div class="shape"><h3 id="shape-${name}">${name}</h3>
${fieldTable(schema, { marksRequired: false })}</div>
`,
)}</section>`;
}

const reasonsSection = html`<section aria-labelledby="reasons">
<h2 id="reasons">Reasons</h2>
<p class="lead">Why a call can fail. Codes are for programs: new ones may be added, but existing ones never change their meaning. Messages are for people and may be reworded.</p>
<div class="scroll"><table class="all-reasons">
<thead><tr><th scope="col">Reason</th><th scope="col">Status</th><th scope="col">Message</th></tr></thead>
<tbody>
${(Object.entries(reasons) as [Reason, readonly [number, string]][]).map(
  ([reason, [status, sentence]]) =>
    html`<tr id="reason-${reason}"><th scope="row"><a class="code" href="#reason-${reason}">${reason}</a></th><td class="status">${status}</td><td>${sentence}</td></tr>
`,
)}</tbody></table></div>
</section>`;

/** The page with its contents, and the calls with their tables. */
export const stylesheets = ['/docs/reference.css', '/docs/calls.css'];
