import { type FiguresAsked, figuresOf } from '#server/devices/stateHistory/figuresOf.ts';
import type { Db } from '#server/infra/db/sql.ts';
import type { Given } from '#server/modules/expressions/given.ts';
import { type FigureAsked, figureKey } from '#server/modules/expressions/language.ts';
import { evaluatedAt, type Seen } from './givenFor.ts';

/**
 * The values that devices reported over the last minutes, read for all devices at once. If a batch has several events
 * of a device, at the time of the last one.
 */
export async function figuresFor(db: Db, seen: readonly Seen[], now: Date): Promise<Given['figures'][]> {
  const latest = new Map<string, FiguresAsked>();
  for (const one of seen)
    for (const { property, minutes } of one.figures)
      latest.set(keyOf(one, { property, minutes }), {
        projectId: one.module.projectId,
        deviceId: one.device.id,
        property,
        minutes,
        at: evaluatedAt(one, now),
      });
  const figures = await figuresOf(db, [...latest.values()]);
  const found = new Map([...latest.keys()].map((key, at) => [key, figures[at]]));
  return seen.map(one =>
    Object.fromEntries(
      one.figures.flatMap(asked => {
        const value = found.get(keyOf(one, asked))?.[asked.figure];
        return value === undefined ? [] : [[figureKey(asked), value]];
      }),
    ),
  );
}

const keyOf = ({ module, device }: Seen, { property, minutes }: Pick<FigureAsked, 'property' | 'minutes'>) =>
  [module.projectId, device.id, property, minutes].join(' ');
