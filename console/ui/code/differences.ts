/**
 * A field as a person knows it, and how its value reads: text as it is, unless said otherwise. `other` is what the value is
 * compared with, for one that is too large to be said as a whole.
 */
export type Words<Values> = {
  [Name in keyof Values & string]:
    | string
    | { label: string; say: (value: Values[Name], other?: Values[Name]) => string };
};

/** One field that two people gave different values. */
export interface Difference {
  label: string;
  theirs: string;
  /** Absent: this side left the field as it was. */
  yours: string | undefined;
}

export function differenceOf<Values extends object, Name extends keyof Values & string>(
  name: Name,
  {
    words,
    base,
    theirs,
    mine,
  }: { words: Words<Values>; base: Values; theirs: Values; mine: Partial<Values> },
): Difference {
  const word = words[name];
  const say = typeof word === 'string' ? sayPlainly : word.say;
  const isMine = name in mine;
  const yours = mine[name] as Values[Name];
  return {
    label: typeof word === 'string' ? word : word.label,
    theirs: say(theirs[name], isMine ? yours : base[name]),
    yours: isMine ? say(yours, theirs[name]) : undefined,
  };
}

function sayPlainly(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'ENABLED' : 'DISABLED';
  return String(value) || '(empty)';
}

const excerptMax = 240;
const leadMax = 40;

/** Of a long text the part where it begins to differ from the other. */
export function excerpt(text: string, other = ''): string {
  if (text.length <= excerptMax) return text;
  let same = 0;
  while (same < text.length && text[same] === other[same]) same += 1;
  const from = Math.max(0, Math.min(same - leadMax, text.length - excerptMax));
  const cut = text.slice(from, from + excerptMax);
  return `${from > 0 ? '…' : ''}${cut}${from + excerptMax < text.length ? '…' : ''}`;
}
