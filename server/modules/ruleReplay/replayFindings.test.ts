import { expect, it } from 'vitest';
import { replayRowsMax } from '#contract/ruleReplay.ts';
import { minuteMs } from '#rules/time/durations.ts';
import { Findings } from './replayFindings.ts';
import type { Hit } from './tryRule.ts';

const begin = new Date('2026-11-20T00:00:00Z');
const after = (minutes: number) => new Date(begin.getTime() + minutes * minuteMs);

it('a replay with more hits than it lists shows the newest, across all devices', async () => {
  const findings = new Findings(begin, after(600), false);
  // One device after the other, each with a hit per minute.
  for (const id of ['a', 'b', 'c']) {
    const hits = Array.from({ length: 110 }, (_, n): Hit => {
      const event = { id: `${id}${n}`, name: '_state_' };
      return {
        key: event.id,
        at: after(n),
        event,
        given: { state: {}, data: {}, figures: {} },
        isHeld: false,
      };
    });
    findings.add({ id, tag: '', name: '', deviceClass: '', homeId: '', connected: true } as never, hits, []);
  }
  const { rows } = await findings.result(3, {
    hit: async () => ({ parts: [], would: [] }),
    parts: async () => [],
  });
  expect(rows).toHaveLength(replayRowsMax);
  const oldest = Math.min(...rows.map(({ at }) => new Date(at).getTime()));
  expect(oldest).toBe(after(76).getTime());
});
