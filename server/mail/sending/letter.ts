import { type Html, html } from '#server/api/pages/html.ts';
import { mark } from '#server/api/pages/mark.ts';

/** An e-mail ready to be sent, with its content as plain text and as HTML. */
export interface Letter {
  /** One line, without control characters. */
  subject: string;
  text: string;
  html: string;
  /** The URL for unsubscribing with one click in a mail program (RFC 8058). */
  unsubscribeUrl?: string;
}

/** The content of an e-mail. Text and HTML are generated from it, so that they cannot differ. */
export interface Says {
  /** Subject and heading. */
  subject: string;
  /** Paragraphs before the button. */
  before: readonly string[];
  /** What happened, when and where, as pairs of name and value. */
  facts?: readonly (readonly [name: string, value: string])[];
  button?: { label: string; url: string };
  /** Paragraphs after the button, in a smaller font. */
  after?: readonly (string | EndsInLink)[];
}

/** A paragraph that ends in a link: in plain text, the URL follows the words. */
interface EndsInLink {
  text: string;
  link: { label: string; url: string };
}

export function writeLetter(says: Says): Letter {
  const subject = subjectLine(says.subject);
  return { subject, text: asText({ ...says, subject }), html: asHtml({ ...says, subject }).text };
}

const subjectMax = 200;

/** A line break in a subject could start another header. */
export function subjectLine(subject: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removes control characters
  const line = subject.replace(/[\u0000-\u001f\u007f\u0085\u2028\u2029]+/g, ' ').trim();
  return [...line].slice(0, subjectMax).join('');
}

function asText({ subject, before, facts = [], button, after = [] }: Says): string {
  const parts = [
    subject,
    ...before,
    facts.map(([name, value]) => `${name}: ${value}`).join('\n'),
    button ? `${button.label}:\n${button.url}` : '',
    ...after.map(one => (typeof one === 'string' ? one : `${one.text} ${one.link.label}: ${one.link.url}`)),
    '-- \nMooring',
  ];
  return `${parts.filter(part => part !== '').join('\n\n')}\n`;
}

// Mail programs keep style attributes and drop most other styles. The rules in a <style> (dark colors) must therefore
// override attributes, the one place where !important is right.
const dark = `
:root { color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  .bg { background: #0d131a !important; }
  .card { background: #131b24 !important; border-color: #222d39 !important; }
  .text { color: #e6ebf1 !important; }
  .muted { color: #98a5b3 !important; }
  .link { color: #6ea8ff !important; }
  .line { border-color: #222d39 !important; }
  .button { background: #6ea8ff !important; color: #0d131a !important; }
}`;

const font = "font-family: Inter, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif;";

function asHtml({ subject, before, facts = [], button, after = [] }: Says): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${subject}</title>
<style>${dark}</style>
</head>
<body class="bg" style="margin: 0; padding: 0; background: #f6f7f9;">
<table role="presentation" class="bg" width="100%" cellspacing="0" cellpadding="0" style="background: #f6f7f9;">
<tr><td align="center" style="padding: 32px 16px;">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" style="max-width: 520px;">
<tr><td class="card" style="padding: 32px; background: #ffffff; border: 1px solid #e2e6eb; border-radius: 8px; text-align: left; ${font}">
${head}
<h1 class="text" style="margin: 24px 0 12px; font-size: 20px; line-height: 28px; font-weight: 600; color: #16202b;">${subject}</h1>
${before.map(paragraph)}${facts.length > 0 && factTable(facts)}${button && buttonWithLink(button)}${after.map(aside)}</td></tr>
<tr><td class="muted" align="center" style="padding: 16px; font-size: 12px; line-height: 20px; color: #566371; ${font}">Sent by Mooring</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

const head = html`<table role="presentation" cellspacing="0" cellpadding="0"><tr><td class="link" style="padding-right: 8px; line-height: 0; color: #1559c7;">${mark(20)}</td><td class="text" style="font-size: 14px; line-height: 20px; font-weight: 600; color: #16202b;">Mooring</td></tr></table>`;

function paragraph(text: string): Html {
  return html`<p class="text" style="margin: 0 0 12px; font-size: 14px; line-height: 22px; color: #16202b;">${text}</p>
`;
}

function aside(said: string | EndsInLink): Html {
  const text =
    typeof said === 'string'
      ? html`${said}`
      : html`${said.text} <a class="link" href="${said.link.url}" style="color: #1559c7;">${said.link.label}</a>.`;
  return html`<p class="muted" style="margin: 16px 0 0; font-size: 13px; line-height: 20px; color: #566371;">${text}</p>
`;
}

function factTable(facts: NonNullable<Says['facts']>): Html {
  const cell = 'padding: 8px 12px 8px 0; font-size: 13px; line-height: 20px; border-top: 1px solid #e2e6eb;';
  return html`<table width="100%" cellspacing="0" cellpadding="0" style="margin: 16px 0; border-collapse: collapse;">
${facts.map(
  ([
    name,
    value,
  ]) => html`<tr><th class="muted line" scope="row" align="left" width="120" style="${cell} font-weight: 400; color: #566371;">${name}</th><td class="text line" style="${cell} color: #16202b; word-break: break-word;">${value}</td></tr>
`,
)}</table>
`;
}

function buttonWithLink({ label, url }: { label: string; url: string }): Html {
  return html`<p style="margin: 24px 0 16px;"><a class="button" href="${url}" style="display: inline-block; padding: 10px 20px; font-size: 14px; line-height: 20px; font-weight: 600; color: #ffffff; background: #1559c7; border-radius: 6px; text-decoration: none;">${label}</a></p>
<p class="muted" style="margin: 0; font-size: 13px; line-height: 20px; color: #566371;">Or open this link:<br><a class="link" href="${url}" style="color: #1559c7; word-break: break-all;">${url}</a></p>
`;
}
