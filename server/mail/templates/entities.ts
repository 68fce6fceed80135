/** The named entities common in e-mails; others are left as they are. */
const named: Record<string, string> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', shy: '' },
  ...{ ndash: '–', mdash: '—', hellip: '…', bull: '•', middot: '·', laquo: '«', raquo: '»', lsquo: '‘' },
  ...{ rsquo: '’', ldquo: '“', rdquo: '”', sbquo: '‚', bdquo: '„', euro: '€', pound: '£', yen: '¥' },
  ...{ cent: '¢', sect: '§', copy: '©', reg: '®', trade: '™', deg: '°', times: '×', larr: '←', rarr: '→' },
  ...{ zwnj: '', zwj: '', ensp: ' ', emsp: ' ', thinsp: ' ', check: '✓' },
  ...{
    auml: 'ä',
    ouml: 'ö',
    uuml: 'ü',
    Auml: 'Ä',
    Ouml: 'Ö',
    Uuml: 'Ü',
    szlig: 'ß',
    eacute: 'é',
    egrave: 'è',
  },
  ...{ ecirc: 'ê', agrave: 'à', aacute: 'á', acirc: 'â', iacute: 'í', oacute: 'ó', uacute: 'ú', ntilde: 'ñ' },
  ...{ ccedil: 'ç', aring: 'å', aelig: 'æ', oslash: 'ø', Aring: 'Å', AElig: 'Æ', Oslash: 'Ø' },
};

/** Replaces entities such as `&amp;` and `&#8230;` by their characters. */
export function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z]{2,8}));/g,
    (all, decimal, hex, name) => {
      if (name !== undefined) return Object.hasOwn(named, name) ? (named[name] ?? all) : all;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      const isText = code >= 32 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
      return isText ? String.fromCodePoint(code) : '';
    },
  );
}
