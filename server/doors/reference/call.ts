import type { AnyEndpoint } from '#contract/endpoint.ts';
import { type Reason, reasons } from '#contract/problem.ts';
import { dayS, hourS, minuteS } from '#rules/time/durations.ts';
import { type Html, html } from '#server/api/pages/html.ts';
import type { Api } from './apis/api.ts';
import { curlOf } from './curl.ts';
import { fieldTable, typeText } from './fields.ts';
import { answerExample, rawAnswers, successStatus } from './openApi/answers.ts';
import { bodyExample } from './openApi/document.ts';
import { answerSchema, inputSchema, type JsonSchema } from './openApi/jsonSchema.ts';
import { queryParameters, sortBy } from './openApi/parameters.ts';
import { reasonsOf } from './reasonsOf.ts';

interface Given {
  api: Api;
  named: Record<string, JsonSchema>;
  publicUrl: string;
}

/** One call: its purpose and inputs on the left, examples on the right. */
export function callSection(endpoint: AnyEndpoint, given: Given): Html {
  const { api } = given;
  return html`<article class="call" id="${endpoint.name}" aria-labelledby="${endpoint.name}-title">
<div class="about">
<h3 id="${endpoint.name}-title"><a href="#${endpoint.name}">${titleOf(endpoint)}</a></h3>
<p class="address"><span class="verb">${endpoint.method}</span> <code><span class="muted">${api.prefix.shown}</span>${pathText(endpoint)}</code></p>
<p>${prose(endpoint.summary)}</p>
<p class="muted">${prose(api.accessOf(endpoint))}${limitSentence(endpoint)}${sudoSentence(endpoint)}</p>
${takes(endpoint)}
${reasonList(endpoint, api)}
</div>
<div class="use">
<h4>Call</h4>
${code(breakable(curlOf(endpoint, { ...given, body: bodyExample(endpoint, given.named) })))}
${answerSection(endpoint, given.named)}
</div>
</article>
`;
}

/** Formats a sentence of the contract; text between backticks is code. */
function prose(text: string): Html[] {
  return text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}

/** `createProject` → `Create project` */
export function titleOf({ name }: Pick<AnyEndpoint, 'name'>): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/Auth2 F/g, 'auth2F');
  return (
    words.charAt(0).toUpperCase() + words.slice(1).replace(/ [A-Z](?=[a-z])/g, sign => sign.toLowerCase())
  );
}

const pathText = ({ path }: AnyEndpoint): Html[] =>
  path
    .split(/(:\w+)/)
    .map(part => (part.startsWith(':') ? html`<var>{${part.slice(1)}}</var>` : html`${part}`));

function limitSentence({ limit }: AnyEndpoint): string | false {
  if (!limit) return false;
  const spans: Record<number, string> = { [minuteS]: 'a minute', [hourS]: 'an hour', [dayS]: 'a day' };
  return ` At most ${limit.count} times ${spans[limit.windowS] ?? `per ${limit.windowS} s`} from one address.`;
}

const sudoSentence = ({ notForSudo }: AnyEndpoint) => notForSudo && ' Not available in a support session.';

function takes(endpoint: AnyEndpoint): Html[] {
  const query = [...queryParameters(endpoint), ...(endpoint.list ? [sortBy(endpoint.list)] : [])];
  const body = inputSchema(endpoint.body);
  const tables: [string, JsonSchema][] = [
    ['Query', asObject(query)],
    [endpoint.form ? 'Form' : 'Body', body],
  ];
  return tables
    .filter(([, { properties = {} }]) => Object.keys(properties).length > 0)
    .map(
      ([title, schema]) => html`<h4>${title}</h4>
${fieldTable(schema, { marksRequired: true })}${title === 'Query' && endpoint.list && listNote}`,
    );
}

const listNote = html`<p class="muted note">And the parameters of <a href="#lists">every list</a>: <code>limit</code>, <code>skip</code>, <code>search</code>.</p>`;

function asObject(
  parameters: readonly { name: string; required: boolean; description?: string; schema: JsonSchema }[],
): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(({ name, description, schema }) => [
        name,
        { ...schema, ...(description !== undefined && { description }) },
      ]),
    ),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** Lists the call's own reasons in full, and those of its kind by name. */
function reasonList(endpoint: AnyEndpoint, api: Api): Html {
  const own = api.ownReasons(endpoint);
  const common = reasonsOf(endpoint, api).filter(reason => !own.includes(reason));
  return html`<h4>Errors</h4>
${
  own.length > 0 &&
  html`<table class="reasons"><tbody>${own.map(
    reason =>
      html`<tr><th scope="row">${reasonLink(reason)}</th><td class="status">${reasons[reason][0]}</td><td>${reasons[reason][1]}</td></tr>`,
  )}</tbody></table>`
}
<p class="common">${own.length > 0 && 'Also '}${common.map(reasonLink)}</p>`;
}

const reasonLink = (reason: Reason) => html`<a class="code" href="#reason-${reason}">${reason}</a> `;

function answerSection(endpoint: AnyEndpoint, named: Record<string, JsonSchema>): Html {
  const status = successStatus(endpoint, named);
  const schema = answerSchema(endpoint.answer);
  const sentence = endpoint.raw
    ? rawAnswers[endpoint.raw].sentence
    : (status === 202 || status === 204) && 'No body.';
  if (sentence) {
    return html`<h4>Response <span class="status">${status}</span></h4><p class="muted">${sentence}</p>`;
  }
  const range = endpoint.list && html`<span class="header">Content-Range: items 0-0/1</span>\n`;
  const json = JSON.stringify(answerExample(endpoint, named), undefined, 2);
  return html`<h4>Response <span class="status">${status}</span><span class="shape-name">${typeText(schema)}</span></h4>
${code(html`${range}${json}`)}`;
}

/** Allows line breaks in a long address only between its parts. */
function breakable(text: string): Html[] {
  return text.split(/(?<=\w\/)(?=\w)/).map((part, i) => (i === 0 ? html`${part}` : html`<wbr>${part}`));
}

export function code(content: Html | Html[]): Html {
  return html`<pre><code>${content}</code></pre>`;
}
