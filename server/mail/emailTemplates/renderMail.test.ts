import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkTemplate } from './check/checkTemplate.ts';
import { defaultTemplates } from './defaultTemplates.ts';
import { limits, renderHtml, valueMax } from './engine.ts';
import { htmlTokens } from './htmlTokens.ts';
import { renderMail } from './renderMail.ts';
import { type VariableName, variables } from './variables.ts';

const data = Object.fromEntries(Object.entries(variables).map(([name, { sample }]) => [name, sample]));
const hostile = '<script>alert("1")</script> \'&\r\nBcc: a@example.com';

describe('a value', () => {
  it('cannot become markup, in text or in an attribute', () => {
    const body = '<p title="{{ user.name }}">{{ user.name }}</p>';
    const { html } = renderMail({ subject: 'a', body }, { ...data, 'user.name': '"><script>' });
    expect(html).toBe('<p title="&quot;&gt;&lt;script&gt;">&quot;&gt;&lt;script&gt;</p>');
  });

  it('cannot bypass the escaping by a filter', () => {
    const body = '{{ user.name | default: "<b>" | upcase }}{{ "<i>" }}';
    expect(renderMail({ subject: 'a', body }, { ...data, 'user.name': '' }).html).toBe('&lt;B&gt;&lt;i&gt;');
  });

  it('is plain text in the subject and in the text part', () => {
    const given = { subject: 'For {{ user.name }}', body: '<p>For {{ user.name }}</p>' };
    const { subject, text } = renderMail(given, { ...data, 'user.name': 'Tom & <b>Ann</b>' });
    expect([subject, text].map(withoutJoiners)).toEqual(['For Tom & <b>Ann</b>', 'For Tom & <b>Ann</b>\n']);
  });

  it.each(['home.name', 'project.name'])('of %s cannot start a header', name => {
    const { subject } = renderMail({ subject: `{{ ${name} }}`, body: 'a' }, { ...data, [name]: hostile });
    expect(subject).toMatch(/^<script>alert\("1"\)<.*script> '& Bcc/);
  });

  it('that a user chose does not become a link', () => {
    const { text } = renderMail(
      { subject: 'a', body: '{{ user.name }}' },
      { ...data, 'user.name': 'https://evil.example' },
    );
    expect(text).not.toContain('https://evil.example');
  });

  it('that is a link stays unchanged', () => {
    const link = 'https://app.example.com/verify?token=abc.def&user=1';
    const { html, text } = renderMail(
      { subject: 'a', body: '{{ link.url }}' },
      { ...data, 'link.url': link },
    );
    expect([html, text]).toEqual([link.replace('&', '&amp;'), `${link}\n`]);
  });

  it('that is too long is an internal error instead of a truncated e-mail', () => {
    const long = { ...data, 'link.url': `https://example.com/${'a'.repeat(valueMax)}` };
    expect(() => renderMail({ subject: 'a', body: '{{ link.url }}' }, long)).toThrow('too long');
  });
});

/** Removes the word joiners that keep mail programs from turning names into links. */
const withoutJoiners = (text: string) => text.replaceAll('\u2060', '');

describe('conditions', () => {
  it.each([
    ['{% if inviter.name %}a{% else %}b{% endif %}', 'b'],
    ['{% unless inviter.name %}a{% endunless %}', 'a'],
    ['{% if user.name == "Ada" %}a{% elsif user.email contains "@" %}b{% endif %}', 'b'],
    ['{% if inviter.name == blank and user.name != blank %}a{% endif %}', 'a'],
  ])('%s', (body, html) => {
    expect(renderMail({ subject: 'a', body }, { ...data, 'inviter.name': '' }).html).toBe(html);
  });
});

it('filters count characters, not UTF-16 units', () => {
  const body = '{{ user.name | truncate: 3 }}{{ user.name | truncate: 2, "" | url_encode }}';
  expect(renderMail({ subject: 'a', body }, { ...data, 'user.name': '👋👋👋👋' }).html).toBe(
    '👋👋…%F0%9F%91%8B%F0%9F%91%8B',
  );
});

describe('the engine as a second defense, in case the check misses something', () => {
  it.each([
    ['a loop', '{% for i in (1..9) %}{% endfor %}', 'tag "for" not found'],
    ['a file', '{% include "a" %}', 'tag "include" not found'],
    ['a filter', '{{ user.name | append: "a" }}', 'undefined filter: append'],
    ['a range', '{{ (1..1000000000) }}', 'memory alloc limit exceeded'],
    ['a variable of the language', '{{ user.constructor }}', 'undefined variable: user.constructor'],
    [
      'a text longer than a template can be',
      'a'.repeat(limits.parsedChars + 1),
      'parse length limit exceeded',
    ],
    ['an e-mail larger than one can be', '{{ link.url }}'.repeat(3000), 'memory alloc limit exceeded'],
  ])('%s does not run', (_, template, message) => {
    const long = { ...data, 'link.url': 'a'.repeat(valueMax) };
    expect(() => renderHtml(template, long)).toThrow(message);
  });
});

describe('a template that passes the check', () => {
  const names = Object.keys(variables) as VariableName[];
  const pieces = fc.constantFrom(
    ...names.map(name => `{{ ${name} }}`),
    ...[
      '{{ user.name | truncate: 3 | upcase }}',
      '{{ "a" | default: user.name }}',
      '{{',
      '}}',
      '{%',
      '%}',
      '|',
    ],
    ...[
      '{% if user.name %}',
      '{% unless user.name == "a" %}',
      '{% elsif true %}',
      '{% else %}',
      '{% endif %}',
    ],
    ...[
      '<p>',
      '</p>',
      '<p class="',
      '">',
      '<a href="{{ link.url }}">',
      '</a>',
      '<!--',
      '-->',
      '<br>',
      '<b',
      '>',
    ],
    ...['<style>', '</style>', ' ', 'text', '"', "'", '&', '\n', '-', 'user.name', '<', '/', '='],
  );
  const body = fc.array(pieces, { maxLength: 14 }).map(parts => parts.join(''));

  it('can be rendered, and no value becomes markup', () => {
    const known = Object.keys(variables) as VariableName[];
    const evil = Object.fromEntries(known.map(name => [name, `<i x="'>{{ "a" }}-->`]));
    let sound = 0;
    fc.assert(
      fc.property(body, template => {
        if (checkTemplate({ subject: 'a', body: template }, known).length > 0) return;
        sound += 1;
        const { html } = renderMail({ subject: 'a', body: template }, evil);
        const kinds = [...htmlTokens(html)].map(token => token.kind);
        expect(kinds).not.toContain('fault');
        expect(html).not.toContain('<i x=');
      }),
      { numRuns: 20_000 },
    );
    expect(sound).toBeGreaterThan(500);
  });

  it('that is a default can be rendered in text and HTML', () => {
    for (const { subject, body } of Object.values(defaultTemplates)) {
      const mail = renderMail({ subject, body }, data);
      expect(mail.html).not.toMatch(/\{\{|\{%/);
      expect(mail.text).not.toMatch(/[<>{}]|&\w+;/);
    }
  });
});
