/** The plural of an English noun: thermostats, switches, batteries. */
export function pluralOf(noun: string): string {
  if (/(s|x|z|ch|sh)$/i.test(noun)) return `${noun}es`;
  return /[^aeiou]y$/i.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

/** A noun with its article: a thermostat, an oven. */
export function withArticle(noun: string): string {
  return `${/^[aeio]|^u(?!ni|se|ti)/i.test(noun) ? 'an' : 'a'} ${noun}`;
}
