const [, inPath] = /^\/orgs\/([^/]+)/.exec(window.location.pathname) ?? [];

/** The organization named in the address, if any. */
export const orgInPath = inPath === undefined ? undefined : decoded(inPath);

/** All routes are below the organization's path if the address names one. */
export const basepath = inPath ? `/orgs/${inPath}` : '/';

/** True: the path belongs to this console, and not to that of another organization. */
export function isInConsole(pathname: string): boolean {
  if (basepath === '/') return !/^\/orgs\//.test(pathname);
  return pathname === basepath || pathname.startsWith(`${basepath}/`);
}

/** A path can contain anything; a part that cannot be decoded is used as it is and names no organization. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
