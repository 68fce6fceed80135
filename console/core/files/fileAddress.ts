/** A link to the files door with the host name of this console, as another name would be another origin. */
export function fileAddress(url: string): string {
  const { pathname, search } = new URL(url, window.location.origin);
  return pathname + search;
}
