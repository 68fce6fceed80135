const [, inPath] = /^\/orgs\/([^/]+)/.exec(window.location.pathname) ?? [];

/** The organization that the address names, if it names one. */
export const orgInPath = inPath === undefined ? undefined : decoded(inPath);

/** Everything the router sees lies under the organization's path when the address names one. */
export const basepath = inPath ? `/orgs/${inPath}` : '/';

/** True: the path belongs to this console, and not to that of another organization. */
export function isInConsole(pathname: string): boolean {
  if (basepath === '/') return !/^\/orgs\//.test(pathname);
  return pathname === basepath || pathname.startsWith(`${basepath}/`);
}

/** A path can hold anything; what is no text names no organization. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
