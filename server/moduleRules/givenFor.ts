import type { ModuleEvent } from '#contract/moduleRun.ts';
import type { Db } from '#server/db/sql.ts';
import type { Given } from '#server/expressions/given.ts';
import type { FigureAsked } from '#server/expressions/language.ts';
import type { EventDevice, OpenModule } from '#server/smartModules/moduleType.ts';
import { figuresFor } from './pastFigures.ts';
import { sourceData } from './sourceData.ts';

export interface Seen {
  module: OpenModule;
  event?: ModuleEvent | undefined;
  device: EventDevice;
  state: Record<string, unknown>;
  /** The values of the past that are asked for. */
  figures: readonly FigureAsked[];
}

/** What expressions see of these events; data and values of the past are read once for all of them. */
export async function givenFor(db: Db, seen: readonly Seen[], now: Date): Promise<Given[]> {
  const data = await sourceData(
    db,
    seen.map(({ module }) => module),
    now,
  );
  const figures = await figuresFor(db, seen, now);
  return seen.map(({ module, event, device, state }, at) => ({
    event,
    state,
    device: deviceAt(device, event ? new Date(event.ts) : now),
    data: data.get(module) ?? {},
    figures: figures[at] ?? {},
  }));
}

function deviceAt(
  { id, tag, name, deviceClass, homeId, connected, since }: EventDevice,
  at: Date,
): NonNullable<Given['device']> {
  const connectedFor = connected && since ? Math.max(0, at.getTime() - since.getTime()) : 0;
  return { id, tag, name, class: deviceClass, connected, connectedFor, home: homeId ?? '' };
}
