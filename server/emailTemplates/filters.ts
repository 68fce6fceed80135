interface Filter {
  apply: (value: string, ...given: (string | number)[]) => string;
  takes: readonly { kind: 'number' | 'text'; optional?: true }[];
  example: string;
}

/**
 * What a value can be put through. None makes more of it than it was given, bar a fixed factor: a filter that inserts
 * or repeats would let three lines of template fill the memory.
 */
export const filters: Record<string, Filter> = Object.assign(Object.create(null), {
  capitalize: {
    apply: value => value.replace(/^\p{L}/u, letter => letter.toUpperCase()),
    takes: [],
    example: 'user.name | capitalize',
  },
  default: {
    apply: (value, other) => (value.trim() === '' ? String(other) : value),
    takes: [{ kind: 'text' }],
    example: 'user.name | default: "friend"',
  },
  downcase: { apply: value => value.toLowerCase(), takes: [], example: 'user.email | downcase' },
  truncate: {
    apply: (value, max, end = '…') => truncated(value, Number(max), String(end)),
    takes: [{ kind: 'number' }, { kind: 'text', optional: true }],
    example: 'user.name | truncate: 20',
  },
  upcase: { apply: value => value.toUpperCase(), takes: [], example: 'user.name | upcase' },
  url_encode: {
    apply: value => encodeURIComponent(value.toWellFormed()),
    takes: [],
    example: 'user.email | url_encode',
  },
} satisfies Record<string, Filter>);

/** Counts characters, not halves of them: half an emoji is not text. */
function truncated(value: string, max: number, end: string): string {
  const signs = [...value];
  if (signs.length <= max) return value;
  return signs.slice(0, Math.max(0, max - [...end].length)).join('') + end;
}
