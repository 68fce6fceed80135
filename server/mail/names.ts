const shownMax = 60;

/**
 * A name that somebody chose, fit for a mail to somebody else. People put web addresses into names so that our
 * mails carry their advertisements; a word joiner after each sign keeps mail programs from making links of them.
 */
export function inert(name: string, max = shownMax): string {
  const signs = [...name.replace(/\s+/g, ' ').trim()];
  const cut = signs.length > max ? `${signs.slice(0, max - 1).join('')}…` : signs.join('');
  return cut.replace(/([.:/])(?=\S)/gu, '$1\u2060');
}

export function greeting(name: string): string {
  return name.trim() === '' ? 'Hello,' : `Hello ${inert(name)},`;
}
