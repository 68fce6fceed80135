/** Whether this is a valid topic name: at least one character, no wildcards (4.7). */
export function isTopicName(topic: string): boolean {
  return topic !== '' && !/[+#]/.test(topic);
}

/**
 * Whether this is a valid topic filter: `+` stands for one whole level, `#` for all remaining levels, so it must be
 * last (4.7.1).
 */
export function isTopicFilter(filter: string): boolean {
  if (filter === '') return false;
  const levels = filter.split('/');
  return levels.every(
    (level, at) => level === '+' || (level === '#' && at === levels.length - 1) || !/[+#]/.test(level),
  );
}

export function topicMatches(filter: string, topic: string): boolean {
  return levelsMatch(filter.split('/'), topic.split('/'));
}

/**
 * Whether a topic matches a filter, both split into levels. `a/#` also matches `a`; a topic that begins with `$` is not
 * matched by a wildcard in the first level (4.7.2).
 */
export function levelsMatch(wanted: readonly string[], levels: readonly string[]): boolean {
  if (levels[0]?.startsWith('$') && (wanted[0] === '+' || wanted[0] === '#')) return false;
  for (const [at, level] of wanted.entries()) {
    if (level === '#') return true;
    if (level !== '+' && level !== levels[at]) return false;
    if (at >= levels.length) return false;
  }
  return wanted.length === levels.length;
}
