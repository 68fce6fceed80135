const shownMax = 60;

/**
 * Makes a name that one person chose safe for an e-mail to another. People put web addresses into names so that our
 * e-mails carry their advertisements; a word joiner after each character keeps mail programs from turning them into
 * links.
 */
export function inert(name: string, max = shownMax): string {
  const signs = [...name.replace(/\s+/g, ' ').trim()];
  const cut = signs.length > max ? `${signs.slice(0, max - 1).join('')}…` : signs.join('');
  return cut.replace(/([.:/])(?=\S)/gu, '$1\u2060');
}

export function greeting(name: string): string {
  return name.trim() === '' ? 'Hello,' : `Hello ${inert(name)},`;
}
