import { describe, expect, it } from 'vitest';
import { emailTemplateIds } from '#contract/emailTemplate.ts';
import { checkTemplate } from './check/checkTemplate.ts';
import { defaultTemplates } from './defaultTemplates.ts';

const variables = defaultTemplates['user-invite'].variables;
const subject = 'Hello';
const body = '<p>Hello</p>';

/** Every error as `field CODE line:column+length`. */
function faultsOf(given: { subject?: string; body?: string }): string[] {
  const found = checkTemplate({ subject, body, ...given }, variables);
  return found.map(({ field, code, line, column, length }) => `${field} ${code} ${line}:${column}+${length}`);
}

describe('every default', () => {
  it.each(emailTemplateIds)('%s passes the check that applies to edits', id => {
    const { subject, body, variables } = defaultTemplates[id];
    expect(checkTemplate({ subject, body }, variables)).toEqual([]);
  });
});

describe('a body is rejected with the exact position of the error', () => {
  const table: [why: string, body: string, ...faults: string[]][] = [
    ['empty', '', 'EMPTY 1:1+0'],
    ['only whitespace', ' \n ', 'EMPTY 1:1+3'],
    ['too long', 'a'.repeat(100_002), 'TOO_LONG 1:100001+2'],
    ['a control character', 'a\n b\u0007c', 'CONTROL_CHARACTER 2:3+1'],
    // Braces
    ['an output that is not closed', '<p>{{ user.name </p>', 'UNCLOSED_BRACES 1:4+2'],
    ['an output closed like a tag', '{{ user.name %}', 'UNCLOSED_BRACES 1:1+2', 'STRAY_BRACES 1:14+2'],
    ['an output that runs into the next', '{{ user.name {{ user.email }}', 'UNCLOSED_BRACES 1:1+2'],
    ['a tag that is not closed', '{% if user.name', 'UNCLOSED_BRACES 1:1+2'],
    ['closing braces without opening ones', 'Hello\r\nuser.name }}', 'STRAY_BRACES 2:11+2'],
    ['empty braces', '{{ }}', 'EMPTY_BRACES 1:1+5'],
    ['empty braces that trim', '{{--}}', 'EMPTY_BRACES 1:1+6'],
    ['three braces', '{{{ user.name }}}', 'SYNTAX 1:3+1'],
    // Expressions
    ['an unknown variable', 'Hi {{ user.nam }}', 'UNKNOWN_VARIABLE 1:7+8'],
    ['a variable of another e-mail', '{{ home.name }}', 'UNKNOWN_VARIABLE 1:4+9'],
    ['half a variable', '{{ user }}', 'UNKNOWN_VARIABLE 1:4+4'],
    ['a property of all objects', '{{ user.constructor.constructor }}', 'UNKNOWN_VARIABLE 1:4+28'],
    ['a prototype', '{{ __proto__ }}', 'UNKNOWN_VARIABLE 1:4+9'],
    ['a bracketed property', '{{ user["name"] }}', 'UNKNOWN_VARIABLE 1:4+4'],
    ['an unknown filter', '{{ user.name | reverse }}', 'UNKNOWN_FILTER 1:16+7'],
    ['a filter that would stop the escaping', '{{ user.name | raw }}', 'UNKNOWN_FILTER 1:16+3'],
    ['a filter named like a property of all objects', '{{ user.name | toString }}', 'UNKNOWN_FILTER 1:16+8'],
    ['a filter without its argument', '{{ user.name | truncate }}', 'SYNTAX 1:24+1'],
    ['a filter with a text for a number', '{{ user.name | truncate: "9" }}', 'SYNTAX 1:26+3'],
    ['a filter with a number too large', '{{ user.name | truncate: 99999 }}', 'SYNTAX 1:26+1'],
    ['a missing filter', '{{ user.name | }}', 'SYNTAX 1:15+1'],
    ['three filters', '{{ user.name | upcase | upcase | upcase }}', 'SYNTAX 1:32+1'],
    ['a string that is not closed', '{{ "user }}', 'SYNTAX 1:4+1'],
    ['an escape that becomes a line break', '{{ "a\\nb" }}', 'SYNTAX 1:4+1'],
    ['a range', '{{ (1..9) }}', 'SYNTAX 1:4+1'],
    ['a number on its own', '{{ 1 }}', 'SYNTAX 1:4+1'],
    ['two values', '{{ user.name user.email }}', 'SYNTAX 1:14+10'],
    ['half a comparison', '{% if user.name == %}a{% endif %}', 'SYNTAX 1:19+1'],
    ['a condition that is missing', '{% if %}a{% endif %}', 'SYNTAX 1:6+1'],
    ['a filter in a condition', '{% if user.name | upcase %}a{% endif %}', 'SYNTAX 1:17+1'],
    // Tags
    ['an unknown tag', '{% fi user.name %}', 'UNKNOWN_TAG 1:1+18'],
    ['a tag without a name', '{% == %}', 'UNKNOWN_TAG 1:1+8'],
    [
      'a block that is not closed',
      '<p>{% if user.name %}a</p>',
      'UNCLOSED_ELEMENT 1:1+3',
      'UNCLOSED_BLOCK 1:4+18',
      'UNOPENED_ELEMENT 1:23+4',
    ],
    ['an else without an if', '{% else %}', 'UNEXPECTED_TAG 1:1+10'],
    ['an else after the else', '{% if user.name %}{% else %}{% else %}{% endif %}', 'UNEXPECTED_TAG 1:29+10'],
    [
      'an elsif after the else',
      '{% if user.name %}{% else %}{% elsif user.name %}{% endif %}',
      'UNEXPECTED_TAG 1:29+21',
    ],
    ['an end without a block', '{% endif %}', 'UNEXPECTED_TAG 1:1+11'],
    ['an end of another block', '{% if user.name %}{% endunless %}{% endif %}', 'UNEXPECTED_TAG 1:19+15'],
    ['an end with words after it', '{% if user.name %}{% endif user.name %}', 'SYNTAX 1:28+9'],
    // HTML
    ['an element that is not closed', '<div>\n  <p>Hello\n</div>', 'UNCLOSED_ELEMENT 2:3+3'],
    ['elements that overlap', '<b><i>a</b></i>', 'UNCLOSED_ELEMENT 1:4+3', 'UNOPENED_ELEMENT 1:12+4'],
    ['an element that was never opened', 'a</p>', 'UNOPENED_ELEMENT 1:2+4'],
    [
      'an element that one branch leaves open',
      '{% if user.name %}<b>{% endif %}a</b>',
      'UNCLOSED_ELEMENT 1:19+3',
      'UNOPENED_ELEMENT 1:34+4',
    ],
    [
      'an element that a branch closes from outside',
      '<b>{% if user.name %}</b>{% endif %}',
      'UNCLOSED_ELEMENT 1:1+3',
      'UNOPENED_ELEMENT 1:22+4',
    ],
    ['a self-closing slash', '<p/>a', 'UNCLOSED_ELEMENT 1:1+4'],
    ['a quote that is not closed', '<p class="a>Hello</p>', 'MALFORMED_HTML 1:1+9'],
    ['a quote in a name', `<p a'b>Hello</p>`, 'MALFORMED_HTML 1:1+5'],
    ['a tag that is not closed', '<p class="a"<b>Hello</b></p>', 'MALFORMED_HTML 1:1+13'],
    ['a lone <', '<p>1 < 2</p>', 'MALFORMED_HTML 1:6+1'],
    ['a closing tag that is not complete', '<p>a</p', 'UNCLOSED_ELEMENT 1:1+3', 'MALFORMED_HTML 1:5+1'],
    ['a comment that is not closed', '<!-- a', 'MALFORMED_HTML 1:1+1'],
    ['a comment that ends early', '<!--> <b> -->', 'MALFORMED_HTML 1:1+1', 'UNCLOSED_ELEMENT 1:7+3'],
    ['braces for a tag', '<{{ user.name }}>', 'MALFORMED_HTML 1:1+1'],
    [
      'braces in the name of a tag',
      '<scr{% if user.name %}ipt{% endif %}>',
      'MALFORMED_HTML 1:1+5',
      'UNCLOSED_ELEMENT 1:1+4',
    ],
    ['braces for an attribute', '<p {{ user.name }}>a</p>', 'MALFORMED_HTML 1:1+4'],
    ['braces without quotes', '<p class={{ user.name }}>a</p>', 'MALFORMED_HTML 1:1+9'],
    [
      'a block that leaves its attribute',
      '<p class="{% if user.name %}">a</p>{% endif %}',
      'UNCLOSED_BLOCK 1:11+18',
      'UNEXPECTED_TAG 1:36+11',
    ],
    [
      'a block that leaves its comment',
      '<!-- {% if user.name %} -->{% endif %}',
      'UNCLOSED_BLOCK 1:6+18',
      'UNEXPECTED_TAG 1:28+11',
    ],
    ['braces in a style', '<style>a{color:{{ user.name }}}</style>', 'BRACES_IN_STYLE 1:16+15'],
    ['braces in a style attribute', '<p style="color: {{ user.name }}">a</p>', 'BRACES_IN_STYLE 1:18+15'],
    // What is not allowed in an e-mail
    ['a script', '<p>a</p>\n<script>alert(1)</script>', 'ELEMENT_REFUSED 2:1+7'],
    ['a script in capitals', '<SCRIPT>alert(1)</SCRIPT>', 'ELEMENT_REFUSED 1:1+7'],
    ['a frame', '<iframe src="https://example.com/"></iframe>', 'ELEMENT_REFUSED 1:1+7'],
    ['a form', '<form></form>', 'ELEMENT_REFUSED 1:1+5'],
    ['a drawing that can run scripts', '<svg></svg>', 'ELEMENT_REFUSED 1:1+4'],
    ['a base for all links', '<base href="https://example.com/">', 'ELEMENT_REFUSED 1:1+5'],
    ['a handler', '<img src="cid:a" onerror="alert(1)">', 'ATTRIBUTE_REFUSED 1:18+7'],
    ['a handler in capitals', '<p OnClick=alert(1)>a</p>', 'ATTRIBUTE_REFUSED 1:4+7'],
    ['a refresh', '<meta http-equiv="refresh" content="0">', 'ATTRIBUTE_REFUSED 1:7+10'],
    ['a javascript: link', '<a href="javascript:alert(1)">a</a>', 'LINK_REFUSED 1:10+19'],
    ['a javascript: link in disguise', '<a href=" java&#115;cript:alert(1)">a</a>', 'LINK_REFUSED 1:10+25'],
    [
      'a javascript: link in parts',
      '<a href="java{% if user.name %}script:{% endif %}a">a</a>',
      'LINK_REFUSED 1:10+41',
    ],
    ['a data: link', '<a href="data:text/html,a">a</a>', 'LINK_REFUSED 1:10+16'],
    ['a link that leads nowhere from a mail', '<a href="/login">a</a>', 'LINK_REFUSED 1:10+6'],
    ['an empty link', '<a href="">a</a>', 'LINK_REFUSED 1:10+1'],
    ['a link that a user’s name would choose', '<a href="{{ user.name }}">a</a>', 'LINK_REFUSED 1:10+15'],
    [
      'a host that a user’s name would choose',
      '<a href="https://{{ user.name }}.example.com">a</a>',
      'LINK_REFUSED 1:10+35',
    ],
    [
      'a host that a user’s name would complete',
      '<a href="https://example{{ user.name }}">a</a>',
      'LINK_REFUSED 1:10+30',
    ],
    [
      'a link variable that was put through a filter',
      '<a href="{{ link.url | upcase }}">a</a>',
      'LINK_REFUSED 1:10+23',
    ],
    ['a picture that is a page', '<img src="data:text/html,a">', 'LINK_REFUSED 1:11+16'],
  ];
  it.each(table)('%s', (_, body, ...faults) => {
    expect(faultsOf({ body })).toEqual(faults.map(fault => `body ${fault}`));
  });

  it('counts line breaks as editors do', () => {
    const lines = ['a', '{{ x }}', 'b', '{{ x }}'];
    for (const end of ['\n', '\r\n', '\r'])
      expect(faultsOf({ body: lines.join(end) }), JSON.stringify(end)).toEqual([
        'body UNKNOWN_VARIABLE 2:4+1',
        'body UNKNOWN_VARIABLE 4:4+1',
      ]);
  });

  it('counts characters outside the basic plane as editors do', () => {
    expect(faultsOf({ body: '👋🏽 {{ x }}' })).toEqual(['body UNKNOWN_VARIABLE 1:9+1']);
  });
});

describe('a subject is rejected with the exact position of the error', () => {
  const table: [why: string, subject: string, ...faults: string[]][] = [
    ['empty', ' ', 'EMPTY 1:1+1'],
    ['too long', 'a'.repeat(201), 'TOO_LONG 1:201+1'],
    ['a header smuggled in', 'Hello\r\nBcc: all@example.com', 'LINE_BREAK 1:6+2'],
    ['a bare line feed', 'Hello\nyou', 'LINE_BREAK 1:6+1'],
    ['a bare carriage return', 'Hello\ryou', 'LINE_BREAK 1:6+1'],
    ['a line break by another name', 'Hello\u2028you\u0085', 'LINE_BREAK 1:6+1', 'LINE_BREAK 1:10+1'],
    ['a line break in braces', '{{ user.name\n}}', 'LINE_BREAK 1:13+1'],
    ['an unknown variable', 'Hello {{ user.names }}', 'UNKNOWN_VARIABLE 1:10+10'],
    ['a block that is not closed', '{% if user.name %}Hello', 'UNCLOSED_BLOCK 1:1+18'],
    ['braces that nothing opens', 'Hello user.name }}', 'STRAY_BRACES 1:17+2'],
  ];
  it.each(table)('%s', (_, subject, ...faults) => {
    expect(faultsOf({ subject })).toEqual(faults.map(fault => `subject ${fault}`));
  });

  it('accepts less-than signs', () => {
    expect(faultsOf({ subject: '1 < 2 <b>' })).toEqual([]);
  });
});

describe('common e-mail markup passes', () => {
  it.each([
    [
      'a conditional comment for Outlook',
      '<!--[if mso]><table><tr><td><![endif]--><p>a</p><!--[if mso]></td></tr></table><![endif]-->',
    ],
    ['content for all clients but Outlook', '<![if !mso]><p>a</p><![endif]>'],
    ['a block around elements', '{% if user.name %}<p>{{ user.name }}</p>{% else %}<p>you</p>{% endif %}'],
    ['a block in an attribute', '<p class="{% unless inviter.name %}a{% endunless %}">a</p>'],
    [
      'every comparison',
      '{% if user.name == "Ada" or user.email contains "@" and user.name != blank %}a{% endif %}',
    ],
    ['elsif', '{% if user.name %}a{% elsif inviter.name %}b{% endif %}'],
    ['trimmed whitespace', '{{- user.name -}} {%- if user.name -%} a {%- endif -%}'],
    ['braces across lines', '{{\n  user.name\n  | default: "you"\n}}'],
    ['two filters', '{{ user.name | default: user.email | truncate: 20, "" }}'],
    ['a link and what follows it', '<a href="{{ link.url }}&amp;from=mail#top">a</a>'],
    [
      'a written link with values in it',
      '<a href="https://example.com/?to={{ user.email | url_encode }}">a</a>',
    ],
    [
      'links that are no pages',
      '<a href="mailto:a@example.com">a</a><a href="tel:+49123">b</a><a href="#c">c</a>',
    ],
    [
      'pictures',
      '<img src="https://example.com/a.png" alt="A"><img src="cid:b"/><img src="data:image/png;base64,AA==">',
    ],
    ['a style with braces of its own', '<style>@media print{a{color:red}}</style>'],
    ['attributes without quotes or value', '<td nowrap width=100%>a</td>'],
    ['capitals', '<P CLASS="a">a</p>'],
    ['entities', '<p>1 &lt; 2 &amp; 3 & 4</p>'],
  ])('%s', (_, body) => {
    expect(faultsOf({ body })).toEqual([]);
  });
});

it('the error for a misspelled name suggests the right one', () => {
  const [fault] = checkTemplate({ subject, body: '{{ user.nmae | upcas }}' }, variables);
  expect(fault?.message).toBe(
    'The variable user.nmae does not exist in this e-mail. Did you mean user.name?',
  );
});

it('a text full of errors is answered with the first fifty', () => {
  expect(faultsOf({ body: '{{ x }} '.repeat(90) })).toHaveLength(50);
});

describe('a template that would exhaust resources or read files is rejected before it runs', () => {
  const table: [why: string, body: string, first: string][] = [
    ['a loop over a billion', '{% for i in (1..1000000000) %}a{% endfor %}', 'UNKNOWN_TAG'],
    ['a table of a billion', '{% tablerow i in (1..1000000000) %}a{% endtablerow %}', 'UNKNOWN_TAG'],
    ['a text that doubles', '{% assign a = "aa" %}'.repeat(60), 'UNKNOWN_TAG'],
    ['a text kept to be repeated', '{% capture a %}a{% endcapture %}', 'UNKNOWN_TAG'],
    ['a file', '{% include "/etc/passwd" %}', 'UNKNOWN_TAG'],
    ['a template in a template', '{% render "a" %}', 'UNKNOWN_TAG'],
    ['a layout', '{% layout "a" %}', 'UNKNOWN_TAG'],
    ['tags in a tag', '{% liquid\nfor i in (1..9)\nendfor %}', 'UNKNOWN_TAG'],
    ['a filter that inserts', '{{ user.name | replace: "", user.name }}', 'UNKNOWN_FILTER'],
    [
      'a filter with an expression of its own',
      '{{ user.name | replace_regex: "(a+)+$", "" }}',
      'UNKNOWN_FILTER',
    ],
    ['a hundred and one values', '{{ user.name }}'.repeat(101), 'TOO_MANY_BRACES'],
    ['five thousand and one elements', '<br>'.repeat(5001), 'TOO_MANY_ELEMENTS'],
    ['five thousand attributes', `<p${' a'.repeat(5000)}></p>`, 'TOO_MANY_ELEMENTS'],
    ['endless braces', '{{ user.name | default: "'.padEnd(900, 'a'), 'UNCLOSED_BRACES'],
    ['elements a hundred deep', '<b>'.repeat(30_000), 'TOO_DEEP'],
    ['blocks a hundred deep', '<b>{% if user.name %}'.repeat(60), 'TOO_DEEP'],
  ];
  it.each(table)('%s', (_, body, code) => {
    expect(checkTemplate({ subject, body }, variables).map(fault => fault.code)).toContain(code);
  });
});
