import { escapeHtml } from '#server/api/pages/html.ts';
import { Faults } from '#server/mail/emailTemplates/check/templateFaults.ts';
import { defaultLayout } from '#server/mail/emailTemplates/defaultLayout.ts';
import { findMarkup } from '#server/mail/emailTemplates/markup.ts';
import type { DeviceValue, VariableName } from '#server/mail/emailTemplates/variables.ts';
import { inert } from '#server/mail/sending/names.ts';
import type { NotifyConfig } from './notifyConfig.ts';

type Wording = Pick<NotifyConfig, 'subject' | 'text'>;

/** The variables of every e-mail of a module, besides the values of the event and device. */
export const notifyVariables = [
  'project.name',
  'user.name',
  'user.email',
  'home.name',
  'device.name',
  'device.tag',
  'event.name',
  'event.time',
  'link.url',
] as VariableName[];

const unsubscribe =
  'You receive this because you are a member of {{ home.name }}. <a class="link" href="{{ link.url }}" style="color: #1559c7;">Unsubscribe</a>';

/** Turns a developer's plain text into a template with the same look as other e-mails. */
export function notifyTemplate({ subject, text }: Wording): { subject: string; body: string } {
  const paragraphs = text.split(/\r?\n[ \t]*(?:\r?\n[ \t]*)+/);
  const body = defaultLayout({
    heading: asHtml(subject),
    before: paragraphs.map(paragraph => asHtml(paragraph).replaceAll(/\r?\n/g, '<br>')),
    after: [unsubscribe],
  });
  return { subject, body };
}

/** Escapes text, except for expressions in braces. */
function asHtml(text: string): string {
  const parts: string[] = [];
  let done = 0;
  for (const { from, to } of findMarkup(text, new Faults())) {
    parts.push(escapeHtml(text.slice(done, from)), text.slice(from, to));
    done = to;
  }
  return parts.join('') + escapeHtml(text.slice(done));
}

/** The device values that a text uses, for example `event.payload.temperature`. */
export function deviceValuesIn({ subject, text }: Wording): DeviceValue[] {
  const used = [subject, text].flatMap(one =>
    findMarkup(one, new Faults()).flatMap(({ insideFrom, insideTo }) =>
      [...one.slice(insideFrom, insideTo).matchAll(/"[^"]*"|'[^']*'|[\w.-]+/g)].map(([word]) => word),
    ),
  );
  return [...new Set(used)].filter((name): name is DeviceValue => deviceValue.test(name));
}

const deviceValue = /^(event\.payload|state)\.[A-Za-z_][\w-]*$/;
/** The text of a device value in an e-mail; empty if there is none. It is trusted no more than names are. */
export function valueText(holder: unknown, name: string): string {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name)) return '';
  const value = (holder as Record<string, unknown>)[name];
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return inert(typeof value === 'string' ? value : JSON.stringify(value));
}
