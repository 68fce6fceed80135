/** Invalid JSON bodies, each with a description. */
export const hostileBodies: [string, string | Uint8Array<ArrayBuffer>][] = [
  ['nothing', ''],
  ['null', 'null'],
  ['a list', '[]'],
  ['a number', '1'],
  ['half an object', '{"name":'],
  ['a key twice', '{"name":"a","name":"b"}'],
  ['a NUL', '{"name":"a\\u0000"}'],
  ['a lone surrogate', '{"name":"\\ud800"}'],
  ['a number past all bounds', '{"name":1e999}'],
  ['a byte order mark', '\uFEFF{"name":"a"}'],
  ['UTF-16', Uint8Array.from(Buffer.from('{"name":"a"}', 'utf16le'))],
  ['deep nesting', `{"name":${'['.repeat(2000)}${']'.repeat(2000)}}`],
  ['an unknown field', '{"neverHeardOf":1}'],
  ['a prototype', '{"__proto__":{"polluted":1}}'],
];

/** Queries that every list rejects. */
export const hostileRanges = [
  'limit=0',
  'limit=-1',
  'limit=1000',
  'limit=25abc',
  'limit=NaN',
  'skip=-1',
  'skip=1e15',
  'limit=1&limit=2',
  'limit[]=1',
  'sortBy=nothing:asc',
  'sortBy=name',
  'sortBy=name:sideways',
  'sortBy=name;drop:asc',
  'search=%00',
  'x=1',
];
