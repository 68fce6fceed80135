import { expect, it } from 'vitest';
import type { LogEntry } from '#contract/log.ts';
import { recentGroups } from './recentGroups.ts';

const entry = (action: string, text: string): LogEntry => ({
  id: text,
  ts: '2026-11-20T12:00:00.000Z',
  level: 2,
  actor: { callerType: 'developer', id: 'dvl_1', displayName: 'Mari' },
  action,
  text,
});

const texts = (entries: LogEntry[]) => recentGroups(entries).map(group => group.map(({ text }) => text));

const device = (letter: string) => `dev_${letter.repeat(26)}`;
const reboot = (letter: string) => entry('sendCommand', `Command reboot sent to device ${device(letter)}`);

it('the same change by the same person to many devices is one line', () => {
  const sent = ['a', 'b', 'c'].map(reboot);
  const other = entry('editDevice', `Device ${device('d')} updated`);
  expect(texts([...sent, other])).toEqual([sent.map(({ text }) => text), [other.text]]);
  const byTwo = [reboot('a'), { ...reboot('b'), actor: { ...other.actor, id: 'dvl_2' } }];
  expect(texts(byTwo)).toEqual(byTwo.map(({ text }) => [text]));
});

it('different commands to the same device are different lines', () => {
  const sent = [entry('sendCommand', `Command setTarget sent to device ${device('a')}`), reboot('a')];
  expect(texts(sent)).toEqual(sent.map(({ text }) => [text]));
});

it('an import in parts is one line', () => {
  const parts = [1000, 2000].map(count => entry('applyImport', `${count} devices imported`));
  expect(texts(parts)).toEqual([parts.map(({ text }) => text)]);
});

it('sign-ins are left out, and do not split a group', () => {
  const sent = [reboot('a'), entry('logIn', 'Signed in'), reboot('c')];
  expect(texts(sent)).toEqual([[reboot('a').text, reboot('c').text]]);
});

it('what a person changes about what they see themselves is no recent change of the project', () => {
  const hidden = entry('hideFinding', 'Finding lost hidden from the own overview');
  expect(texts([hidden, reboot('a')])).toEqual([[reboot('a').text]]);
});
