/** Upper bounds of the time histograms, in seconds. */
const boundsS = [0.005, 0.02, 0.05, 0.1, 0.25, 1, 5];

interface Histogram {
  /** How many values were within each bound, and above the last one. */
  counts: number[];
  sumS: number;
}

type Labels = Readonly<Record<string, string>>;

const counters = new Map<string, Map<string, number>>();
const histograms = new Map<string, Map<string, Histogram>>();

/** Counts something in this process, for `/metrics`. Labels must have few values: never ids. */
export function count(name: string, labels: Labels = {}, by = 1): void {
  const series = seriesOf(counters, name);
  const key = keyOf(labels);
  series.set(key, (series.get(key) ?? 0) + by);
}

/** Records how long something took. */
export function observe(name: string, labels: Labels, ms: number): void {
  const series = seriesOf(histograms, name);
  const key = keyOf(labels);
  const known = series.get(key) ?? { counts: boundsS.map(() => 0).concat(0), sumS: 0 };
  const bound = boundsS.findIndex(most => ms <= most * 1000);
  const at = bound === -1 ? boundsS.length : bound;
  known.counts[at] = (known.counts[at] ?? 0) + 1;
  known.sumS += ms / 1000;
  series.set(key, known);
}

/** All metrics in the text format of Prometheus. */
export function* metricLines(): Generator<string> {
  for (const [name, series] of counters) {
    yield `# TYPE ${name} counter`;
    for (const [labels, value] of series) yield `${name}${inBraces(labels)} ${value}`;
  }
  for (const [name, series] of histograms) {
    yield `# TYPE ${name} histogram`;
    for (const [labels, { counts, sumS }] of series) {
      let sum = 0;
      for (const [at, one] of counts.entries()) {
        sum += one;
        yield `${name}_bucket${inBraces(labels, `le="${boundsS[at] ?? '+Inf'}"`)} ${sum}`;
      }
      yield `${name}_sum${inBraces(labels)} ${sumS.toFixed(4)}`;
      yield `${name}_count${inBraces(labels)} ${sum}`;
    }
  }
}

function seriesOf<T>(all: Map<string, Map<string, T>>, name: string): Map<string, T> {
  const known = all.get(name) ?? new Map<string, T>();
  all.set(name, known);
  return known;
}

function keyOf(labels: Labels): string {
  let key = '';
  for (const label in labels) key += `${key && ','}${label}="${labels[label]}"`;
  return key;
}

function inBraces(labels: string, more = ''): string {
  const all = [labels, more].filter(Boolean).join(',');
  return all && `{${all}}`;
}
