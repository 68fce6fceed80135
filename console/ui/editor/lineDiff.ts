import { Change, diff } from '@codemirror/merge';

/** Each distinct line is represented by one UTF-16 unit below the surrogates. */
const linesMax = 0xd7ff;
const scanLimit = 2000;

/**
 * Compares two texts line by line first, and by characters only within lines that replace each other. By characters
 * alone, the braces of one block would be matched with those of another.
 */
export function lineDiff(a: string, b: string): readonly Change[] {
  const codes = new Map<string, string>();
  const [linesA, linesB] = [linesOf(a), linesOf(b)];
  const encode = (lines: readonly string[]) => lines.map(line => codeOf(line, codes)).join('');
  const [codedA, codedB] = [encode(linesA), encode(linesB)];
  if (codes.size > linesMax) return diff(a, b, { scanLimit });
  const [startsA, startsB] = [startsOf(linesA), startsOf(linesB)];
  return diff(codedA, codedB, { scanLimit }).flatMap(({ fromA, toA, fromB, toB }) => {
    const [atA, endA] = [startsA[fromA] ?? a.length, startsA[toA] ?? a.length];
    const [atB, endB] = [startsB[fromB] ?? b.length, startsB[toB] ?? b.length];
    if (atA === endA || atB === endB) return new Change(atA, endA, atB, endB);
    return diff(a.slice(atA, endA), b.slice(atB, endB), { scanLimit }).map(
      one => new Change(atA + one.fromA, atA + one.toA, atB + one.fromB, atB + one.toB),
    );
  });
}

/** The lines, including their line breaks. */
function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/);
}

function codeOf(line: string, codes: Map<string, string>): string {
  const known = codes.get(line);
  if (known !== undefined) return known;
  const code = String.fromCharCode(Math.min(codes.size + 1, linesMax));
  codes.set(line, code);
  return code;
}

function startsOf(lines: readonly string[]): number[] {
  let at = 0;
  return lines.map(line => {
    const start = at;
    at += line.length;
    return start;
  });
}
