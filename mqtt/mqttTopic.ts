/** A name that something is published under: at least one character, and no wildcard (4.7). */
export function isTopicName(topic: string): boolean {
  return topic !== '' && !/[+#]/.test(topic);
}

/** What can be subscribed to: `+` stands for one whole level, `#` for all that are left, and so comes last (4.7.1). */
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
 * The same, of what was split already. `a/#` also matches `a`; what begins with `$` is matched by no wildcard in its
 * place (4.7.2).
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
