export const sourcePathMax = 200;

const segment = "[A-Za-z0-9._~!$&'()*+,=:@-]+";
const sourcePath = new RegExp(`^(/|(/${segment})+)$`);

/** A path that selects a proxy route: `/energy`; `/` matches all paths. */
export function isSourcePath(path: string): boolean {
  return path.length <= sourcePathMax && sourcePath.test(path) && !path.split('/').some(isDots);
}

/**
 * The rest of a path after a source path, which must match whole segments; undefined: the path does not begin with it.
 */
export function restBelow(sourcePath: string, path: string): string | undefined {
  if (sourcePath === '/') return path;
  if (!path.startsWith(sourcePath)) return undefined;
  const rest = path.slice(sourcePath.length);
  return rest === '' || rest.startsWith('/') ? rest : undefined;
}

/**
 * Whether a path can be forwarded unchanged. A path that programs interpret differently could mean one path to us and
 * another to the back end: encoded dots and slashes, empty segments, backslashes, segment parameters that hide dots.
 */
export function isForwardable(path: string): boolean {
  if (path !== '' && !path.startsWith('/')) return false;
  if (/[^!-~]|["#<>?\\^`{|}]|\/\/|%(?![0-9a-f]{2})|%(2f|5c|00)/i.test(path)) return false;
  return !path.split('/').some(part => isDots(part.replace(/%2e/gi, '.').replace(/(;|%3b).*$/i, '')));
}

const isDots = (part: string) => part === '.' || part === '..';

/** The ids of homes in a text: all tokens that consist only of digits. */
export function homeIdsIn(text: string): number[] {
  const tokens = text.split(/[\s,;]+/).filter(token => /^\d{1,15}$/.test(token));
  return [...new Set(tokens.map(Number))];
}
