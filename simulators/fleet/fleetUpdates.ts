import { Turns } from '#rules/turns.ts';
import { figure, type Verdict } from './checks.ts';
import { FileShelf } from './fileShelf.ts';
import type { Member } from './member.ts';
import { type Download, MemberUpdate } from './memberUpdate.ts';

export interface UpdateOptions {
  /** The percentage of devices that fail. */
  failPercent: number;
  failCode: string;
  /** The percentage of devices that are offline during the first half. */
  offlinePercent: number;
  download: Download;
  /** The number of updates that each device waits for, one after the other. */
  count: number;
}

const downloadsAtOnce = 200;

/** The updates of a fleet, and their results. */
export class FleetUpdates {
  readonly #options: UpdateOptions;
  readonly #all: MemberUpdate[];

  readonly #end = new AbortController();
  readonly #shelf: FileShelf;

  /** `before`: earlier updates of the same members, which are stopped; the members keep their installed firmware. */
  constructor(members: readonly Member[], options: UpdateOptions, before?: FleetUpdates) {
    before?.stop();
    this.#options = options;
    this.#shelf = before ? before.#shelf : new FileShelf();
    const shelf = this.#shelf;
    const { signal } = this.#end;
    const turns = new Turns(downloadsAtOnce);
    const { failPercent, failCode, download } = options;
    this.#all = members.map((member, index) => {
      const failsWith = isAmong(index, failPercent) ? failCode : undefined;
      const installed = before?.installedAt(index);
      return new MemberUpdate(member, { failsWith, download, turns, shelf, signal, installed });
    });
  }

  /** What the member with this index runs. */
  installedAt(index: number) {
    return this.#all[index]?.installed;
  }

  /** Stops all retries. */
  stop(): void {
    this.#end.abort();
  }

  /** The number of devices by state: `updated`, `failed <code>`, another state, or `no target`. */
  get counts(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const one of this.#all) {
      const outcome = outcomeOf(one);
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
    return Object.fromEntries(Object.entries(counts).sort());
  }

  /** The results of a bundle as the devices report them: the number of devices by outcome. */
  endsOf(bundleId: string): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { ends } of this.#all) {
      const end = ends.get(bundleId);
      if (end !== undefined) counts[end] = (counts[end] ?? 0) + 1;
    }
    return counts;
  }

  get isOver(): boolean {
    const { count } = this.#options;
    return this.#all.every(one => one.ends.size >= count && isOutcome(outcomeOf(one)));
  }

  get verdict(): Verdict {
    const { counts } = this;
    const names = Object.keys(counts);
    const bytes = this.#all.reduce((sum, one) => sum + one.bytes, 0);
    const deltas = this.#all.reduce((sum, one) => sum + one.deltas, 0);
    const isAsMeant = names.every(name => name === 'no target' || this.#isMeant(name));
    const listed = names.map(name => `${figure(counts[name] ?? 0)} ${name}`).join(', ');
    return {
      check: 'updates',
      ok: names.join() === 'no target' ? undefined : isAsMeant,
      figures: `${listed}; ${figure(bytes)} bytes downloaded, ${figure(deltas)} deltas`,
      counts: { ...counts, bytes, deltas },
    };
  }

  #isMeant(outcome: string): boolean {
    const { failCode } = this.#options;
    return outcome === 'updated' || outcome === `failed ${failCode}` || outcome === failCode;
  }
}

/** Whether an index belongs to the given percentage, spread evenly. */
export function isAmong(index: number, percent: number): boolean {
  return Math.floor(((index + 1) * percent) / 100) > Math.floor((index * percent) / 100);
}

function outcomeOf({ latest, hasTarget }: MemberUpdate): string {
  if (latest?.state === 'done') return 'updated';
  if (latest?.state === 'failed') return `failed ${latest.code}`;
  return latest?.state ?? (hasTarget ? 'offered' : 'no target');
}

function isOutcome(outcome: string): boolean {
  return outcome === 'updated' || outcome === 'declined' || outcome.startsWith('failed');
}
