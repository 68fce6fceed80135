import fc from 'fast-check';
import { expect, it } from 'vitest';
import { exportDeviceStateHistory, readDeviceStateHistory } from '#contract/stateHistory.ts';
import { dayMs, hourMs, minuteMs } from '#rules/time/durations.ts';
import { aProjectWorld } from '#test/projectWorld.ts';
import { rolledUp, type SaidNumbers, saidBefore } from '#test/stateReports.ts';

const at = aProjectWorld();

/** Minimum, maximum, sum and count by step, from the reports alone. */
function figures(said: readonly SaidNumbers[], stepS: number, from: number, to: number) {
  const stepMs = stepS * 1000;
  const first = Math.floor(from / stepMs) * stepMs;
  const inside = said.filter(({ at: time }) => time.getTime() >= first && time.getTime() < to);
  const steps = Map.groupBy(inside, ({ at: time }) => Math.floor(time.getTime() / stepMs));
  return [...steps]
    .toSorted(([a], [b]) => a - b)
    .map(([step, reports]) => {
      const values = reports.map(({ numbers }) => numbers.t ?? 0);
      return {
        at: new Date(step * stepMs).toISOString(),
        min: Math.min(...values),
        max: Math.max(...values),
        sum: values.reduce((sum, value) => sum + value, 0),
        count: values.length,
      };
    });
}

const ranges = fc.record({
  /** How long ago the range begins, and how long it is, up to each limit of a resolution. */
  beginMs: fc.constantFrom(90 * minuteMs, 5.5 * hourMs, 2 * dayMs, 6 * dayMs),
  lengthMs: fc.constantFrom(10 * minuteMs, hourMs, 6 * hourMs, 3 * dayMs, 12 * dayMs),
  points: fc.constantFrom(7, 150, 1000),
});
const recentS = 600;
const secondsWithin = (days: number) => fc.integer({ min: 1, max: Math.round(days * 86_400) });
const report = fc.record({
  secondsAgo: fc.oneof(secondsWithin(6), secondsWithin(0.1)),
  t: fc.integer({ min: -9, max: 9 }),
});

it('the history is what a model computes from the reports, at each resolution, rolled up or not, also as a file', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(report, { minLength: 1, maxLength: 40 }),
      fc.tuple(fc.nat(40), fc.nat(40)),
      fc.array(ranges, { minLength: 3, maxLength: 6 }),
      async (reports, rolledUpTo, asked) => {
        const { id: deviceId } = await at.device();
        const now = at.world.now().getTime();
        const [first, rolled] = rolledUpTo.toSorted((a, b) => a - b) as [number, number];
        // What is not rolled up yet was reported within the last minutes.
        const said = reports.map(({ secondsAgo, t }, place) => ({
          deviceId,
          numbers: { t },
          at: new Date(now - (place < rolled ? secondsAgo : secondsAgo % recentS) * 1000),
        }));
        // In two parts, because the second one adds to the figures of the first.
        for (const part of [said.slice(0, first), said.slice(first, rolled)]) {
          if (part.length > 0) await saidBefore(at, part);
          await rolledUp(at);
        }
        if (rolled < said.length) await saidBefore(at, said.slice(rolled));
        for (const { beginMs, lengthMs, points } of asked) {
          const [begin, end] = [now - beginMs, Math.min(now + minuteMs, now - beginMs + lengthMs)];
          const query = {
            begin: new Date(begin).toISOString(),
            end: new Date(end).toISOString(),
            property: 't',
          };
          const params = { deviceId };
          const history = await at.owner.client.call(readDeviceStateHistory, {
            params,
            query: { ...query, points },
          });
          const shown = (history.series[0]?.points ?? []).map(({ mean, ...point }) => ({
            ...point,
            sum: Math.round(mean * point.count),
          }));
          expect(shown).toEqual(figures(said, history.stepS, begin, end));
          const file = await readFile(deviceId, query);
          // The first step is in the file as a whole.
          const from = Math.min(begin, file.from);
          const inFile = said.filter(({ at: time }) => time.getTime() >= from && time.getTime() < end);
          expect(file.count).toBe(inFile.length);
        }
      },
    ),
    { numRuns: 15 },
  );
});

/** The number of reports in a file, and the time of its first line. */
async function readFile(deviceId: string, query: Record<string, string>) {
  const url = new URL(`${at.world.url}/api${exportDeviceStateHistory.path.replace(':deviceId', deviceId)}`);
  url.search = new URLSearchParams(query).toString();
  const lines = (await (await at.owner.fetch(url)).text()).trim().split('\r\n').slice(1);
  const times = lines.map(line => Date.parse(line.split(',')[0] ?? ''));
  return {
    from: Math.min(...times),
    count: lines.reduce((sum, line) => sum + Number(line.split(',')[5]), 0),
  };
}
