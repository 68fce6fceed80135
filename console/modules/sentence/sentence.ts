import type { ModuleValues } from '#console/modules/form/moduleValues.ts';
import { parseSubscribedEvents } from '#rules/apps/subscribedEvents.ts';
import type { Condition, Test } from './condition.ts';
import { readCondition } from './readCondition.ts';
import { writeCondition } from './writeCondition.ts';

/** What a sentence says about when a rule acts; what it does then is in its actions. */
export interface Sentence extends Condition {
  /** Empty: devices of all classes. */
  classes: readonly string[];
  starts: Start;
}

/**
 * What makes the rule look: events; or that a connection ends or begins, which is a matter of the condition too, so that
 * it can be said for how long.
 */
export type Start = { events: readonly string[] } | { presence: 'online' | 'offline' };

type Said = Pick<ModuleValues, 'subscribedEvents' | 'deviceClasses' | 'configData'>;

const presenceEvents = ['_connected_', '_disconnected_'];
const connected = 'device.connected';

/** The sentence that says the same as a rule, or the reason why there is none. */
export function readSentence({
  subscribedEvents,
  deviceClasses,
  configData,
}: Said): Sentence | { reason: string } {
  const { names: events, faults } = parseSubscribedEvents(subscribedEvents);
  if (faults.length > 0) return { reason: 'The list of events has an error.' };
  const { condition: code } = configData;
  const condition = readCondition(typeof code === 'string' ? code : '');
  if ('reason' in condition) return condition;
  const [first, ...tests] = condition.tests;
  const presence = isPresence(events) && condition.join === 'and' ? presenceOf(first) : undefined;
  if (presence) return { classes: deviceClasses, starts: { presence }, join: 'and', tests };
  return { ...condition, classes: deviceClasses, starts: { events } };
}

/** The part of a rule's values that its sentence determines. */
export function writeSentence({ classes, starts, join, tests }: Sentence) {
  const isAbout = 'presence' in starts;
  const events = isAbout ? presenceEvents : starts.events;
  const all = isAbout ? [presenceTest(starts.presence), ...tests] : tests;
  return {
    subscribedEvents: events.join('\n'),
    deviceClasses: classes,
    condition: writeCondition({ join: isAbout ? 'and' : join, tests: all }),
  };
}

const isPresence = (events: readonly string[]) =>
  events.length === presenceEvents.length && presenceEvents.every(name => events.includes(name));

const presenceTest = (presence: 'online' | 'offline'): Test => ({
  left: connected,
  op: presence === 'online' ? 'true' : 'false',
});

function presenceOf(test: Test | undefined): 'online' | 'offline' | undefined {
  if (test?.left !== connected) return undefined;
  return test.op === 'true' ? 'online' : test.op === 'false' ? 'offline' : undefined;
}
