import { expect, it } from 'vitest';
import { htmlToText } from './htmlToText.ts';

it.each([
  ['paragraphs stand apart', '<p>One</p><p>Two</p>', 'One\n\nTwo'],
  [
    'blanks of the source are none of the text',
    '  <p>\n  One\n  two </p>\n\n <p>Three</p>',
    'One two\n\nThree',
  ],
  ['words in different tags keep their blank', '<b>One</b> <i>two</i><u> three</u>', 'One two three'],
  ['words without a blank stay together', 'One<b>two</b>three', 'Onetwothree'],
  ['a break is a line', 'One<br>two<br><br>three', 'One\ntwo\n\nthree'],
  ['a list', '<ul><li>One</li><li>Two</li></ul><p>Three</p>', '- One\n- Two\n\nThree'],
  ['a table, row by row', '<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\nc'],
  [
    'a link says where it leads',
    '<a href="https://a.example/?a=1&amp;b=2">Open</a>',
    'Open (https://a.example/?a=1&b=2)',
  ],
  [
    'a link that shows it is not told twice',
    '<a href="https://a.example/">https://a.example/</a>',
    'https://a.example/',
  ],
  ['a mail address is not told twice', '<a href="mailto:a@b.example">a@b.example</a>', 'a@b.example'],
  [
    'a link around a picture',
    '<a href="https://a.example/"><img src="cid:a" alt="Logo"></a>',
    'Logo (https://a.example/)',
  ],
  ['a link without words', '<a href="https://a.example/"></a>', 'https://a.example/'],
  ['a place in the mail leads nowhere', '<a href="#top">Top</a>', 'Top'],
  ['what is not shown', '<head><title>a</title><style>b{}</style></head><p>c</p>', 'c'],
  ['what is hidden', '<div style="display: none"><b>a</b><br></div>b', 'b'],
  ['comments', 'a<!-- b -->c', 'ac'],
  [
    'signs by name and number',
    '&lt;b&gt; &amp;amp; &ndash; &#8230; &#x2713; &unknown; &#0;',
    '<b> &amp; – … ✓ &unknown;',
  ],
  ['text as it was set', '<pre>a\n  b</pre>c', 'a\n  b\n\nc'],
  ['a line across', 'a<hr>b', 'a\n\n---\n\nb'],
  ['nothing', '', ''],
])('%s', (_, html, text) => {
  expect(htmlToText(html)).toBe(`${text}\n`);
});
