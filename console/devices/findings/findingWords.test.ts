import { expect, it } from 'vitest';
import type { Finding } from '#contract/finding.ts';
import { findingRows } from './findingRows.ts';
import { reasonOf, titleOf } from './findingWords.ts';

const since = '2026-03-02T04:54:00.000Z';
const now = Date.parse('2026-03-02T08:04:00.000Z');

const finding = (given: Partial<Finding> & Pick<Finding, 'signal'>): Finding => ({
  id: given.signal,
  count: 1,
  since,
  at: since,
  devices: [],
  causes: [],
  common: [],
  ...given,
});
const named = (...names: string[]) => names.map(name => ({ id: `dev_${name}`, name, tag: '' }));

it.each([
  [finding({ signal: 'quiet', devices: named('Cellar') }), 'Cellar has gone quiet'],
  [finding({ signal: 'flapping', count: 2, devices: named('Hall', 'Attic') }), 'Hall and Attic are flapping'],
  [finding({ signal: 'quiet', count: 25, devices: named('A', 'B', 'C') }), '25 devices have gone quiet'],
  [finding({ signal: 'commandFailed', count: 1_000 }), '1,000+ commands failed'],
  [finding({ signal: 'never', count: 1_204 }), '1,204 devices never connected'],
])('the sentence of a finding names few devices and counts many: %#', (given, title) => {
  expect(titleOf(given)).toBe(title);
});

it('a rollout is named by its bundle and channel, with who paused it', () => {
  const rollout = {
    id: 'rol_1',
    channelId: 'chn_1',
    channel: 'stable',
    bundle: 'winter-25',
    step: 0,
    stepCount: 2,
  };
  const title = (given: object, mayStart = true) =>
    titleOf(finding({ signal: 'rollout', rollout: { ...rollout, isPaused: true, ...given } }), mayStart);
  expect(title({ pausedBy: 'Jonas' })).toBe('Jonas paused the rollout of winter-25 to stable');
  expect(title({})).toBe('A gate paused the rollout of winter-25 to stable');
  expect(title({ isPaused: false })).toBe('The rollout of winter-25 to stable waits for your approval');
  expect(title({ isPaused: false }, false)).toBe('The rollout of winter-25 to stable waits for approval');
});

it('the reason of a quiet device is its own rhythm', () => {
  const quiet = { everyS: 301, isConnected: true };
  const reason = reasonOf(finding({ signal: 'quiet', devices: named('Cellar'), quiet }), now);
  expect(reason).toMatch(/^Connected and silent since \d\d:\d\d; it usually reports every 5 min\.$/);
});

it('five urgent findings have a row, and what is small never has one before them', () => {
  const urgent = Array.from({ length: 7 }, (_, n) => finding({ signal: 'rollout', id: `rollout:${n}` }));
  const all = [...urgent, finding({ signal: 'quarantine' }), finding({ signal: 'never', isHidden: true })];
  const split = findingRows(all, false);
  expect(split.rows).toEqual(urgent.slice(0, 5));
  expect(split.rest.map(({ id }) => id)).toEqual(['rollout:5', 'rollout:6', 'quarantine']);
  expect([split.visible, split.urgent, split.hidden]).toEqual([8, 7, 1]);
  expect(findingRows([finding({ signal: 'never' })], false)).toMatchObject({
    rows: [],
    urgent: 0,
    visible: 1,
  });
  expect(findingRows(all, true)).toMatchObject({ rows: all, rest: [], hidden: 0 });
});
