import { expect, it } from 'vitest';
import type { LogEntry } from '#contract/log.ts';
import { answers, isOpen, questionOf } from './auditQuestion.ts';

const now = new Date('2026-11-20T12:00:00Z');

it('the query is taken from the address, without values that are not valid', () => {
  const url = {
    view: 'other',
    from: '2026-11-01T00:00Z',
    to: '2026-11-02T00:00Z',
    text: 'dev-42',
    level: '1',
  };
  expect(questionOf(url, now)).toEqual({
    begin: '2026-11-01T00:00:00.000Z',
    end: '2026-11-02T00:00:00.000Z',
    text: 'dev-42',
    level: 1,
  });
  const nonsense = questionOf({ view: 'other', from: 'soon', to: 'x', level: '9', who: '' }, now);
  expect(Object.keys(nonsense)).toEqual(['begin', 'end']);
});

it('a custom range without bounds is the whole year for which the log is kept', () => {
  const { begin, end } = questionOf({ view: 'other' }, now);
  expect((Date.parse(end) - Date.parse(begin)) / 86_400_000).toBe(365);
  expect(Date.parse(end)).toBeGreaterThan(now.getTime());
});

it('new entries belong to views whose period ends now', () => {
  const now = [{}, { view: 'recent' }, { view: 'today' }, { view: 'other' }, { view: 'nonsense' }];
  expect(now.every(isOpen)).toBe(true);
  const then = [{ view: 'yesterday' }, { view: '2' }, { view: 'other', to: '2026-11-02T00:00' }];
  expect(then.some(isOpen)).toBe(false);
});

it('the tail has the entries that the search would find', () => {
  const entry: LogEntry = {
    id: 'log_1',
    ts: '2026-11-20T12:00:01.000Z',
    level: 2,
    action: 'editProject',
    text: 'Settings changed',
    actor: { callerType: 'developer', id: 'dvl_1', displayName: 'Ada' },
    detail: { after: { name: 'Nordlys' } },
  };
  const asks = (url: Record<string, string>) => answers(entry, questionOf(url, now));
  expect(
    [{}, { text: 'nordLYS' }, { who: 'dvl_1' }, { action: 'editProject' }, { level: '2' }].every(asks),
  ).toBe(true);
  expect(
    [{ text: 'x1' }, { who: 'dvl_2' }, { action: 'edit' }, { level: '1' }, { view: '2' }].some(asks),
  ).toBe(false);
});

it('“Most Recent” asks for 30 days', () => {
  const { begin, end } = questionOf({}, new Date('2026-11-27T12:00:00Z'));
  expect(Date.parse(end) - Date.parse(begin)).toBe(30 * 86_400_000);
});
