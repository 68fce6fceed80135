import { type Reason, reasons } from '#contract/problem.ts';
import { type Html, html } from '#server/api/pages/html.ts';
import { page } from '#server/api/pages/page.ts';
import { type Api, type Convention, callsIn, type Group } from './apis/api.ts';
import { callSection, titleOf } from './call.ts';
import { fieldTable } from './fields.ts';
import { type JsonSchema, namedSchemas } from './openApi/jsonSchema.ts';
import { reasonsOf } from './reasonsOf.ts';

/** The whole reference on one page, so that the browser's own search finds everything. */
export function referencePage(api: Api, publicUrl: string): string {
  const named = namedSchemas(callsIn(api).map(({ answer }) => answer));
  const conventions = api.conventionsAt(publicUrl);
  const main = html`<div class="reference">
${contents(api, conventions)}
<main id="main">
<header class="opening">
<h1>${api.title}</h1>
<p>${api.lead}</p>
</header>
${conventionsSection(conventions)}
${api.groups.map(group => groupSection(group, { api, named, publicUrl }))}
${shapesSection(named)}
${reasonsSection(api)}
</main>
</div>`;
  return page({ title: `${api.title} reference`, stylesheets, main });
}

const anchorOf = (title: string) => title.toLowerCase().replace(/[^a-z0-9]+/g, '-');

function contents({ groups }: Api, conventions: readonly Convention[]): Html {
  const conventionLinks = conventions.map(({ title }) => contentsLink(anchorOf(title), title));
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
  given: { api: Api; named: Record<string, JsonSchema>; publicUrl: string },
): Html {
  return html`<section aria-labelledby="${anchorOf(title)}">
<h2 id="${anchorOf(title)}">${title}</h2>
${calls.map(call => callSection(call, given))}</section>`;
}

/** The section with the rules for all calls. */
function conventionsSection(conventions: readonly Convention[]): Html {
  return html`<section class="conventions" id="conventions" aria-label="Conventions">
${conventions.map(
  ({ title, text }) => html`<h2 id="${anchorOf(title)}">${title}</h2>
${text}
`,
)}</section>`;
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

function reasonsSection(api: Api): Html {
  const used = new Set(callsIn(api).flatMap(call => reasonsOf(call, api)));
  return html`<section aria-labelledby="reasons">
<h2 id="reasons">Reasons</h2>
<p class="lead">Why a call can fail. Codes are for programs: new ones may be added, but existing ones never change their meaning. Messages are for people and may be reworded.</p>
<div class="scroll"><table class="all-reasons">
<thead><tr><th scope="col">Reason</th><th scope="col">Status</th><th scope="col">Message</th></tr></thead>
<tbody>
${(Object.entries(reasons) as [Reason, readonly [number, string]][])
  .filter(([reason]) => api.hasAllReasons || used.has(reason))
  .map(
    ([reason, [status, sentence]]) =>
      html`<tr id="reason-${reason}"><th scope="row"><a class="code" href="#reason-${reason}">${reason}</a></th><td class="status">${status}</td><td>${sentence}</td></tr>
`,
  )}</tbody></table></div>
</section>`;
}

/** The stylesheets of the page with its contents, and of the calls with their tables. */
export const stylesheets = ['/docs/reference.css', '/docs/calls.css'];
