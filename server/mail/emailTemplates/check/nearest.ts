/** The known name that was most likely meant; undefined if none is similar. */
export function nearest(written: string, known: readonly string[]): string | undefined {
  const worthAsking = Math.max(2, Math.floor(written.length / 3));
  const rated = known
    .filter(name => Math.abs(name.length - written.length) <= worthAsking)
    .map(name => ({ name, distance: distance(written.toLowerCase(), name.toLowerCase()) }));
  const best = rated.sort((a, b) => a.distance - b.distance)[0];
  return best && best.distance <= worthAsking ? best.name : undefined;
}

/** The number of letters to add, remove or replace (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const above = row;
    row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const exchanged = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(exchanged, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
  }
  return row[b.length] ?? 0;
}
