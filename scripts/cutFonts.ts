import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';

const { resolve } = createRequire(import.meta.url);
const folder = join(import.meta.dirname, '../.runtime/fonts');

/** What `font-feature-settings` and `font-variant-numeric` ask for, and what places letters and accents. */
const keepFeatures = ['kern', 'mark', 'mkmk', 'ccmp', 'locl', 'tnum', 'cv11', 'ss03'];

/**
 * Cuts the font of each `@font-face` to its `unicode-range`, its range of `font-weight` and the features in use: the
 * letters that nearly every screen needs take a quarter of the font in the package.
 */
export const cutFonts = (): Plugin => ({
  name: 'cut-fonts',
  enforce: 'pre',
  async transform(css, id) {
    if (!id.split('?')[0]?.endsWith('.css')) return undefined;
    let withCut = css;
    for (const [face, from = ''] of css.matchAll(/@font-face \{[^}]*?url\("(@fontsource[^"]+)"\)[^}]*\}/g))
      withCut = withCut.replace(face, face.replace(from, await cut(face, resolve(from))));
    return withCut;
  },
});

/** Returns the path of the cut font. */
async function cut(face: string, path: string): Promise<string> {
  const original = readFileSync(path);
  const range = /unicode-range:([^;]+)/.exec(face)?.[1];
  const [min, max] = (/font-weight: (\d+) (\d+)/.exec(face) ?? []).slice(1).map(Number);
  if (!range || !min || !max)
    throw new Error(`A face of ${path} has no unicode-range or no range of weights.`);
  const options = {
    targetFormat: 'woff2',
    keepFeatures,
    variationAxes: { wght: { min, max, default: min } },
  } as const;
  const key = createHash('sha256').update(original).update(range).update(JSON.stringify(options));
  const target = join(folder, key.digest('hex').slice(0, 12), basename(path));
  if (existsSync(target)) return target;
  mkdirSync(dirname(target), { recursive: true });
  const cutFont = await subsetFont(original, charactersOf(range), options);
  // Renamed when it is whole: a build that is interrupted must not leave half a font for the next ones.
  const part = `${target}.${process.pid}`;
  writeFileSync(part, cutFont);
  renameSync(part, target);
  return target;
}

/** "U+0041-0043, U+00B7" is "ABC·". */
function charactersOf(range: string): string {
  return range
    .split(',')
    .flatMap(part => {
      const [first = 0, last = first] = part
        .trim()
        .slice(2)
        .split('-')
        .map(code => Number.parseInt(code, 16));
      return Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at));
    })
    .join('');
}
