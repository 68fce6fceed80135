import type { Db } from '#server/db/sql.ts';
import type { Given } from '#server/expressions/given.ts';
import { type FigureAsked, figureKey } from '#server/expressions/language.ts';
import { figuresOf } from '#server/stateHistory/figuresOf.ts';
import type { Seen } from './givenFor.ts';

/** What a device reported over the last minutes. Of several events of one batch, at the time of the last. */
export async function figuresFor(db: Db, seen: readonly Seen[], now: Date): Promise<Given['figures'][]> {
  const latest = new Map<string, { seen: Seen; asked: FigureAsked; at: Date }>();
  for (const one of seen)
    for (const asked of one.figures)
      latest.set(keyOf(one, asked), { seen: one, asked, at: one.event ? new Date(one.event.ts) : now });
  const found = new Map<string, Awaited<ReturnType<typeof figuresOf>>>();
  for (const [key, { seen: one, asked, at }] of latest) {
    const { property, minutes } = asked;
    found.set(key, await figuresOf(db, one.module.projectId, one.device.id, property, minutes, at));
  }
  return seen.map(one =>
    Object.fromEntries(
      one.figures.flatMap(asked => {
        const value = found.get(keyOf(one, asked))?.[asked.figure];
        return value === undefined ? [] : [[figureKey(asked), value]];
      }),
    ),
  );
}

const keyOf = ({ module, device }: Seen, { property, minutes }: FigureAsked) =>
  [module.projectId, device.id, property, minutes].join(' ');
