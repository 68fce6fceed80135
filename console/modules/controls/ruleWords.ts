import type { CodeWord } from '#console/ui/form/CodeField.tsx';

const names: readonly (readonly [string, string])[] = [
  ['event.name', 'text · the name of the event'],
  ['event.payload', 'what came with the event'],
  ['event.ts', 'time of the event'],
  ['device.id', 'text'],
  ['device.tag', 'text · your label'],
  ['device.name', 'text'],
  ['device.class', 'text · its device class'],
  ['device.home', 'text · the id of its home'],
  ['device.connected', 'true or false'],
  ['device.connectedFor', 'duration · since it connected or disconnected'],
];

const functions: readonly (readonly [string, string])[] = [
  ['has(state.x)', 'true if the property exists'],
  ['duration("10m")', 'a time span: s, m, h'],
  ['fits(text, "pattern")', 'true if a text matches a regular expression'],
  ['mean("x", 10)', 'mean of a number in the state over minutes'],
  ['min("x", 10)', 'lowest value of a number in the state over minutes'],
  ['max("x", 10)', 'highest value of a number in the state over minutes'],
  ['size(list)', 'number of entries or characters'],
];

/** The names that are available in every rule. */
export const ruleWords: readonly CodeWord[] = [
  ...names.map(([word, description]) => ({ word, description, kind: 'variable' as const })),
  ...functions.map(([word, description]) => ({ word, description, kind: 'function' as const })),
];
