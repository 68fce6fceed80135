/** A link to the files door by the name under which this console was opened: another name would be another origin. */
export function fileAddress(url: string): string {
  const { pathname, search } = new URL(url, window.location.origin);
  return pathname + search;
}
