/**
 * The label of a field, and how its value is described: as text by default. `other` is the value to compare with, for
 * values that are too long to be shown in full.
 */
export type Words<Values> = {
  [Name in keyof Values & string]:
    | string
    | { label: string; say: (value: Values[Name], other?: Values[Name]) => string };
};

/** A field for which two people have different values. */
export interface Difference {
  label: string;
  theirs: string;
  /** Absent: this side did not change the field. */
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

/** For a long text, the part where it starts to differ from the other. */
export function excerpt(text: string, other = ''): string {
  if (text.length <= excerptMax) return text;
  let same = 0;
  while (same < text.length && text[same] === other[same]) same += 1;
  const from = Math.max(0, Math.min(same - leadMax, text.length - excerptMax));
  const cut = text.slice(from, from + excerptMax);
  return `${from > 0 ? '…' : ''}${cut}${from + excerptMax < text.length ? '…' : ''}`;
}
