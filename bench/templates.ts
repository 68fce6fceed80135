import { bodyMax, checkTemplate } from '#server/mail/emailTemplates/check/checkTemplate.ts';
import { defaultTemplates } from '#server/mail/emailTemplates/defaultTemplates.ts';
import { valueMax } from '#server/mail/emailTemplates/engine.ts';
import { renderMail } from '#server/mail/emailTemplates/renderMail.ts';
import { type VariableName, variables } from '#server/mail/emailTemplates/variables.ts';
import { ms, percentile, report } from './report.ts';

const barMs = 50;
const runs = 30;
const names = Object.keys(variables) as VariableName[];
/** Values of the maximum length, made of the character that grows the most when escaped. */
const worst = Object.fromEntries(names.map(name => [name, '"'.repeat(valueMax)]));

const fill = (part: string, max = bodyMax) => part.repeat(Math.floor(max / part.length));
const values = '{{ link.url | url_encode | url_encode }}';
const condition = `{% if ${fill('user.name contains "a" or ', 260)}user.name %}a{% endif %}`;

/** The most expensive templates that pass, then the most expensive ones that are refused. */
const bombs: Record<string, string> = {
  'a default': defaultTemplates['user-invite'].body,
  '100 of the longest values, each through 2 filters': fill(values, 100 * values.length),
  '100 of the longest values': '{{ link.url }}'.repeat(100),
  'the same, and elements up to the limit': fill(values, 100 * values.length) + '<i>a</i>'.repeat(4999),
  '50 of the longest conditions': fill(condition, 50 * condition.length),
  '5,000 elements': fill('<b>some text</b>', 16 * 5000),
  '14,000 elements': fill('<b></b>'),
  '2,500 links': fill('<a href="https://example.com/">a</a>', 36 * 2500),
  '5,000 table cells': fill('<td></td>', 9 * 5000),
  'elements 100 deep, 50 times over': ('<b>'.repeat(99) + '</b>'.repeat(99)).repeat(50),
  '5,000 attributes': `<p${' abc="def" ghi'.repeat(2499)}></p>`,
  '16,000 entities': fill('&#123;'),
  '100,000 blanks': `a${' '.repeat(bodyMax - 2)}b`,
  '100,000 blanks as they are': `<pre>a${' '.repeat(bodyMax - 20)}b</pre>`,
  'a loop over a billion': '{% for i in (1..1000000000) %}a{% endfor %}',
  'nested loops': `${'{% for i in (1..100000) %}'.repeat(9)}a${'{% endfor %}'.repeat(9)}`,
  'a text that doubles 60 times': '{% assign a = a | append: a %}'.repeat(60),
  'a regular expression that never ends': '{{ "aaaa" | replace_regex: "(a+)+$", "" }}',
  '50,000 opening braces': fill('{{'),
  '20,000 empty braces': fill('{{ }}'),
  '100,000 <': fill('<'),
  '25,000 comments that never end': fill('<!--'),
  '16,000 quotes that never end': fill('<a b="'),
  'closing tags that never end': fill('</a   '),
  '33,000 elements that are never closed': fill('<b>'),
  '25,000 closing tags of nothing': fill('</b>'),
  'blanks before an = that never comes': `<p ${fill(`a${' '.repeat(999)}`, 99_000)}></p>`,
  '20,000 unknown variables': fill('{{ user.nmae }}'),
  '100,000 characters that are too many': 'a'.repeat(200_000),
};

/** How long one preview blocks the process, because all of it is synchronous. */
export async function run(): Promise<void> {
  const rows: string[][] = [];
  let slowest = 0;
  for (const [name, body] of Object.entries(bombs)) {
    const first = held(body);
    const rest = Array.from({ length: runs }, () => held(body));
    const cpuMs = Math.max(first.cpuMs, ...rest.map(one => one.cpuMs));
    const wallMs = rest.map(one => one.wallMs);
    slowest = Math.max(slowest, cpuMs);
    const longest = [ms(Math.max(first.wallMs, ...wallMs)), ms(cpuMs)];
    rows.push([name, first.outcome, ms(first.wallMs), ms(percentile(wallMs, 0.5)), ...longest]);
  }
  report({
    title: 'E-mail template bombs: time held on the event loop',
    command: 'npm run bench -- templates',
    head: ['template', 'outcome', 'first', 'median', 'longest', 'longest, CPU'],
    rows,
    notes: [
      `Check and, if it passes, rendering to HTML and text with values of ${valueMax} characters; ${runs + 1} runs each.`,
      'Excludes what every call costs: reading the request, the session, the transaction.',
      `The bar is ${barMs} ms of CPU time, the longest was ${ms(slowest)}; wall time includes the time of other processes.`,
    ],
  });
  if (slowest > barMs) process.exitCode = 1;
}

function held(body: string): { outcome: string; wallMs: number; cpuMs: number } {
  const content = { subject: 'Hello {{ user.name }}', body };
  const startedAt = performance.now();
  const before = process.threadCpuUsage();
  const faults = checkTemplate(content, names);
  const mail = faults.length === 0 ? renderMail(content, worst) : undefined;
  const { user, system } = process.threadCpuUsage(before);
  const outcome = mail ? `${mail.html.length.toLocaleString('en')} characters` : (faults[0]?.code ?? '');
  return { outcome, wallMs: performance.now() - startedAt, cpuMs: (user + system) / 1000 };
}
