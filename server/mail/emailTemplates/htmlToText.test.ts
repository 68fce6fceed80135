import { expect, it } from 'vitest';
import { htmlToText } from './htmlToText.ts';

it.each([
  ['paragraphs stand apart', '<p>One</p><p>Two</p>', 'One\n\nTwo'],
  [
    'whitespace in the source is not part of the text',
    '  <p>\n  One\n  two </p>\n\n <p>Three</p>',
    'One two\n\nThree',
  ],
  [
    'words in different tags keep the space between them',
    '<b>One</b> <i>two</i><u> three</u>',
    'One two three',
  ],
  ['words without a space stay together', 'One<b>two</b>three', 'Onetwothree'],
  ['a break starts a new line', 'One<br>two<br><br>three', 'One\ntwo\n\nthree'],
  ['a list', '<ul><li>One</li><li>Two</li></ul><p>Three</p>', '- One\n- Two\n\nThree'],
  ['a table, row by row', '<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\nc'],
  [
    'a link shows its address',
    '<a href="https://a.example/?a=1&amp;b=2">Open</a>',
    'Open (https://a.example/?a=1&b=2)',
  ],
  [
    'a link whose text is its address shows it once',
    '<a href="https://a.example/">https://a.example/</a>',
    'https://a.example/',
  ],
  ['an e-mail address appears once', '<a href="mailto:a@b.example">a@b.example</a>', 'a@b.example'],
  [
    'a link around a picture',
    '<a href="https://a.example/"><img src="cid:a" alt="Logo"></a>',
    'Logo (https://a.example/)',
  ],
  ['a link without text', '<a href="https://a.example/"></a>', 'https://a.example/'],
  ['a link within the e-mail has no address', '<a href="#top">Top</a>', 'Top'],
  ['elements that are not shown', '<head><title>a</title><style>b{}</style></head><p>c</p>', 'c'],
  ['hidden elements', '<div style="display: none"><b>a</b><br></div>b', 'b'],
  ['comments', 'a<!-- b -->c', 'ac'],
  [
    'named and numeric entities',
    '&lt;b&gt; &amp;amp; &ndash; &#8230; &#x2713; &unknown; &#0;',
    '<b> &amp; – … ✓ &unknown;',
  ],
  ['text as it was set', '<pre>a\n  b</pre>c', 'a\n  b\n\nc'],
  ['a line across', 'a<hr>b', 'a\n\n---\n\nb'],
  ['nothing', '', ''],
])('%s', (_, html, text) => {
  expect(htmlToText(html)).toBe(`${text}\n`);
});
