/** The participles that the audit log uses, and their past tenses. */
const past: Readonly<Record<string, string>> = {
  written: 'wrote',
  shown: 'showed',
  withdrawn: 'withdrew',
  ...Object.fromEntries(
    [
      'created',
      'updated',
      'changed',
      'deleted',
      'saved',
      'erased',
      'imported',
      'exported',
      'rotated',
      'cleared',
      'revoked',
      'cancelled',
      'completed',
      'started',
      'requested',
      'tested',
      'read',
      'paused',
      'resumed',
      'advanced',
      'stopped',
      'rolled back',
      'retried',
    ].map(verb => [verb, verb]),
  ),
};
const verbs = Object.keys(past).join('|');

const withVerbLast = new RegExp(`^([A-Z][a-z-]* .+) (${verbs})$`);
const movedBetween = /^(Command \S+|Device \S+|\S+@\S+) (sent|added|released|removed) ((?:to|from) .+)$/;
/** "Role of …", "Version 1.2 of …": a part of something. */
const isPartOf = /^[A-Z][a-z -]*(?: \S+)? (?:of|to) /;

/**
 * Turns "Device dev_1 updated" into "updated device dev_1". Undefined if the sentence has another structure; it is then
 * shown as it is.
 */
export function activeSentence(text: string): string | undefined {
  const [, what = '', moved = '', where = ''] = movedBetween.exec(text) ?? [];
  if (moved) return `${moved} ${objectOf(what)} ${where}`;
  const [, thing = '', done = ''] = withVerbLast.exec(text) ?? [];
  return done ? `${past[done]} ${objectOf(thing)}` : undefined;
}

function objectOf(thing: string): string {
  if (thing.includes('@') && !thing.includes(' ')) return thing;
  const lower = `${thing.charAt(0).toLowerCase()}${thing.slice(1)}`;
  return isPartOf.test(thing) && !/^An? /.test(thing) ? `the ${lower}` : lower;
}
