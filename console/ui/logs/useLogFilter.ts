import { useMemo } from 'react';
import { useUrlState } from '#console/core/urlState.ts';
import { type LogEntry, logLevels } from '#contract/log.ts';

export type LogFilter = ReturnType<typeof useLogFilter>;

/** Level, actor and text, read from the address: they filter the loaded entries at once. */
export function useLogFilter(entries: readonly LogEntry[]) {
  const [url, change] = useUrlState();
  const levels = url.level?.split(',') ?? [];
  const actors = url.actor?.split(',') ?? [];
  const text = url.text ?? '';
  const shown = useMemo(() => {
    const wanted = text.toLowerCase();
    const [levelSet, actorSet] = [new Set(url.level?.split(',')), new Set(url.actor?.split(','))];
    return entries.filter(
      entry =>
        (levelSet.size === 0 || levelSet.has(logLevels[entry.level] ?? '')) &&
        (actorSet.size === 0 || actorSet.has(entry.actor.callerType)) &&
        (!wanted || searchedText(entry).includes(wanted)),
    );
  }, [entries, url.level, url.actor, text]);
  return {
    shown,
    levels,
    actors,
    text,
    narrowed: levels.length > 0 || actors.length > 0 || text !== '',
    /** All filters as one text. */
    question: JSON.stringify([levels, actors, text]),
    setLevels: (next: string[]) => change({ level: next.join(',') }, { replace: true }),
    setActors: (next: string[]) => change({ actor: next.join(',') }, { replace: true }),
    setText: (next: string) => change({ text: next }, { replace: true }),
    clear: () => change({ level: undefined, actor: undefined, text: undefined }, { replace: true }),
  };
}

function searchedText({ text, action, actor, detail }: LogEntry): string {
  return `${action} ${text} ${actor.displayName} ${detail ? JSON.stringify(detail) : ''}`.toLowerCase();
}
