import type { ModuleEvent } from '#contract/moduleRun.ts';
import type { Db } from '#server/infra/db/sql.ts';
import type { Given } from '#server/modules/expressions/given.ts';
import type { FigureAsked } from '#server/modules/expressions/language.ts';
import type { EventDevice, OpenModule } from '#server/modules/smartModules/moduleType.ts';
import { figuresFor } from './pastFigures.ts';
import { sourceData } from './sourceData.ts';

export interface Seen {
  module: OpenModule;
  event?: ModuleEvent | undefined;
  device: EventDevice;
  state: Record<string, unknown>;
  /** When it is evaluated, if not at the time of the event: the time for its historical values and the connection. */
  at?: Date | undefined;
  /** The historical values that the expressions use. */
  figures: readonly FigureAsked[];
}

/** The inputs of expressions for these events; data and historical values are read once for all of them. */
export async function givenFor(db: Db, seen: readonly Seen[], now: Date): Promise<Given[]> {
  const data = await sourceData(
    db,
    seen.map(({ module }) => module),
    now,
  );
  const figures = await figuresFor(db, seen, now);
  // If only the event is used, all rules share one object, so that its values are copied and prepared once.
  const shared = new Map<ModuleEvent, Given>();
  return seen.map((one, index) => {
    const { module, event, device, state } = one;
    const [own, past] = [data.get(module) ?? {}, figures[index] ?? {}];
    const isShared = Object.keys(own).length === 0 && Object.keys(past).length === 0;
    const known = event && isShared ? shared.get(event) : undefined;
    if (known) return known;
    const given = { event, state, device: deviceAt(device, evaluatedAt(one, now)), data: own, figures: past };
    if (event && isShared) shared.set(event, given);
    return given;
  });
}

/** The time to which the values of an evaluation belong. */
export const evaluatedAt = ({ at, event }: Pick<Seen, 'at' | 'event'>, now: Date): Date =>
  at ?? (event ? new Date(event.ts) : now);

function deviceAt(
  { id, tag, name, deviceClass, homeId, connected, since }: EventDevice,
  at: Date,
): NonNullable<Given['device']> {
  const connectedFor = connected && since ? Math.max(0, at.getTime() - since.getTime()) : 0;
  return { id, tag, name, class: deviceClass, connected, connectedFor, home: homeId ?? '' };
}
