export const sourcePathMax = 200;

const segment = "[A-Za-z0-9._~!$&'()*+,=:@-]+";
const sourcePath = new RegExp(`^(/|(/${segment})+)$`);

/** A path that proxy routes are chosen by: `/energy`; `/` fits all. */
export function isSourcePath(path: string): boolean {
  return path.length <= sourcePathMax && sourcePath.test(path) && !path.split('/').some(isDots);
}

/** What a path has beyond a source path, of which it must contain whole segments; undefined: it does not begin with it. */
export function restBelow(sourcePath: string, path: string): string | undefined {
  if (sourcePath === '/') return path;
  if (!path.startsWith(sourcePath)) return undefined;
  const rest = path.slice(sourcePath.length);
  return rest === '' || rest.startsWith('/') ? rest : undefined;
}

/**
 * Whether a path can be forwarded as it was sent. What programs disagree on could be one path for us and another for the
 * back end: dots and slashes that are encoded, empty segments, backslashes, parameters of a segment that hide its dots.
 */
export function isForwardable(path: string): boolean {
  if (path !== '' && !path.startsWith('/')) return false;
  if (/[^!-~]|["#<>?\\^`{|}]|\/\/|%(?![0-9a-f]{2})|%(2f|5c|00)/i.test(path)) return false;
  return !path.split('/').some(part => isDots(part.replace(/%2e/gi, '.').replace(/(;|%3b).*$/i, '')));
}

const isDots = (part: string) => part === '.' || part === '..';

/** The ids of homes in a text: its tokens of digits alone. */
export function homeIdsIn(text: string): number[] {
  const tokens = text.split(/[\s,;]+/).filter(token => /^\d{1,15}$/.test(token));
  return [...new Set(tokens.map(Number))];
}
