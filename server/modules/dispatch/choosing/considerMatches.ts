import type { Platform } from '#server/infra/platform.ts';
import { deafness, heardOf, type Match, sharedChosen } from '#server/modules/dispatch/matchEvents.ts';
import { keyOf } from '#server/modules/dispatch/moduleRegistry.ts';
import { onTrial } from '#server/modules/rests/onTrial.ts';
import type { Choosing, Chosen } from '#server/modules/smartModules/moduleType.ts';
import { chooseHits } from './chooseHits.ts';
import type { Fitting } from './fittingMatches.ts';

/** What modules found out about events, before the transaction that stores their runs. */
export interface Considered {
  /** The projects that need longer than others can wait. */
  late: ReadonlySet<string>;
  groups: readonly { pairs: readonly Pair[]; choosing: Choosing }[];
}

interface Pair {
  match: Match;
  chosen: Chosen;
}

interface How {
  isPrompt: boolean;
  /** Something that was evaluated last may have ended the process that held the shard. */
  isDoubtful: boolean;
}

/** Asks the types of modules for which of these events they run. */
export async function considerMatches(
  platform: Platform,
  { matches: all, devices }: Pick<Fitting, 'matches' | 'devices'>,
  { isPrompt, isDoubtful }: How,
): Promise<Considered> {
  const chosenOf = sharedChosen(devices);
  const matches = all.filter(({ event, known }) => {
    const device = devices.get(event.deviceId)?.device;
    return device && !deafness(known, heardOf(event), device.deviceClass);
  });
  const late = new Set<string>();
  const groups: Considered['groups'][number][] = [];
  for (const some of askedTogether(matches, isDoubtful)) {
    const [{ known }] = some;
    const pairs = some.flatMap(match => chosenOf(match).map(chosen => ({ match, chosen })));
    const ask = () =>
      chooseHits(
        platform,
        known.type,
        pairs.map(({ chosen }) => chosen),
        { isPrompt },
      );
    const choosing = await (isDoubtful ? onTrial(platform, [known.module], ask) : ask());
    for (const projectId of choosing.late) late.add(projectId);
    groups.push({ pairs, choosing });
  }
  return { late, groups };
}

/** All modules of a type together. If the shard is doubtful, one by one, so that it is known which of them it was. */
function askedTogether(matches: readonly Match[], isDoubtful: boolean): [Match, ...Match[]][] {
  const groups = isDoubtful
    ? Map.groupBy(matches, ({ known }) => keyOf(known.module))
    : Map.groupBy(matches, ({ known }) => known.type);
  return [...groups.values()].filter((some): some is [Match, ...Match[]] => some.length > 0);
}
