import type { emailFilters } from '#contract/emailTemplate.ts';

interface Filter {
  apply: (value: string, ...given: (string | number)[]) => string;
  takes: readonly { kind: 'number' | 'text'; optional?: true }[];
}

/**
 * The filters for values. The output of each is at most a fixed factor longer than its input: with a filter that
 * inserts or repeats text, three lines of template could fill the memory.
 */
export const filters: Readonly<Record<string, Filter>> = Object.assign(Object.create(null), {
  capitalize: {
    apply: value => value.replace(/^\p{L}/u, letter => letter.toUpperCase()),
    takes: [],
  },
  default: {
    apply: (value, other) => (value.trim() === '' ? String(other) : value),
    takes: [{ kind: 'text' }],
  },
  downcase: { apply: value => value.toLowerCase(), takes: [] },
  truncate: {
    apply: (value, max, end = '…') => truncated(value, Number(max), String(end)),
    takes: [{ kind: 'number' }, { kind: 'text', optional: true }],
  },
  upcase: { apply: value => value.toUpperCase(), takes: [] },
  url_encode: {
    apply: value => encodeURIComponent(value.toWellFormed()),
    takes: [],
  },
} satisfies Record<keyof typeof emailFilters, Filter>);

/** Counts characters, not UTF-16 units, so that an emoji is never cut in half. */
function truncated(value: string, max: number, end: string): string {
  const signs = [...value];
  if (signs.length <= max) return value;
  return signs.slice(0, Math.max(0, max - [...end].length)).join('') + end;
}
