import { replayRowsMax } from '#contract/ruleReplay.ts';
import { hourMs } from '#rules/time/durations.ts';
import type { Given } from '#server/modules/expressions/given.ts';
import type { PastDevice } from './pastDevice.ts';
import type { ReplayResult, ReplayRow } from './replayInput.ts';
import type { Hit } from './tryRule.ts';

type Kind = ReplayRow['kind'];

interface Kept {
  kind: Kind;
  hit: Hit;
  device: PastDevice['device'];
}

/** Of the devices for which the condition is true, this many are named. */
const holdingMax = 3;

/** What only an evaluation can tell about a finding. */
interface Detail {
  hit: (kept: Pick<Kept, 'hit' | 'kind'>) => Promise<Pick<ReplayRow, 'parts' | 'would'>>;
  parts: (given: Given) => Promise<ReplayRow['parts']>;
}

/** What a replay has found so far. */
export class Findings {
  events = 0;
  devices = 0;
  isCut = false;
  errors = 0;
  error: string | undefined;
  /** Whether the condition can be judged at the end, without an event. */
  readonly isAboutDevice: boolean;
  #held = 0;
  #hitDevices = 0;
  #holding = 0;
  readonly #someHolding: { device: PastDevice['device']; given: Given }[] = [];
  readonly #hours = new Map<number, Record<Kind, number>>();
  readonly #hits: Record<Kind, number> = { same: 0, new: 0, gone: 0 };
  #kept: Kept[] = [];
  /** Enough hits newer than this are kept already. */
  #enoughSinceMs = Number.NEGATIVE_INFINITY;

  constructor(begin: Date, end: Date, isAboutDevice: boolean) {
    this.isAboutDevice = isAboutDevice;
    for (let ms = hourOf(begin); ms <= end.getTime(); ms += hourMs)
      this.#hours.set(ms, { same: 0, new: 0, gone: 0 });
  }

  failed = (error: string): void => {
    this.errors++;
    this.error ??= error;
  };

  /** Adds the hits of one device, with the version being tried and with the saved one. */
  add(device: PastDevice['device'], hits: readonly Hit[], saved: readonly Hit[]): void {
    const before = new Set(saved.map(({ key }) => key));
    const now = new Set(hits.map(({ key }) => key));
    if (hits.some(({ isHeld }) => !isHeld)) this.#hitDevices++;
    for (const hit of hits) this.#count(before.has(hit.key) ? 'same' : 'new', hit, device);
    for (const hit of saved) if (!now.has(hit.key)) this.#count('gone', hit, device);
  }

  /** Adds a device for which the condition is true at the end. */
  addHolding(device: PastDevice['device'], given: Given | undefined): void {
    if (!given) return;
    this.#holding++;
    if (this.#someHolding.length < holdingMax) this.#someHolding.push({ device, given });
  }

  #count(kind: Kind, hit: Hit, device: PastDevice['device']): void {
    this.#hits[kind]++;
    if (hit.isHeld && kind !== 'gone') this.#held++;
    const hour = this.#hours.get(hourOf(hit.at));
    if (hour) hour[kind]++;
    if (hit.at.getTime() <= this.#enoughSinceMs) return;
    this.#kept.push({ kind, hit, device });
    if (this.#kept.length === replayRowsMax * 2) this.#dropOldest();
  }

  async #holdingNow({ parts }: Detail): Promise<NonNullable<ReplayResult['holding']>> {
    const some = this.#someHolding.map(async ({ device, given }) => ({
      device: shown(device),
      parts: await parts(given),
    }));
    return { devices: this.#holding, some: await Promise.all(some) };
  }

  #dropOldest(): void {
    this.#kept.sort((a, b) => b.hit.at.getTime() - a.hit.at.getTime());
    this.#kept = this.#kept.slice(0, replayRowsMax);
    const oldest = this.#kept[replayRowsMax - 1];
    if (oldest) this.#enoughSinceMs = oldest.hit.at.getTime();
  }

  async result(devicesTotal: number, detail: Detail): Promise<ReplayResult> {
    this.#dropOldest();
    const rows = await Promise.all(
      this.#kept.map(async ({ kind, hit, device }): Promise<ReplayRow> => {
        const event = { id: hit.event.id, name: hit.event.name };
        const row = { at: hit.at.toISOString(), kind, device: shown(device), event, isHeld: hit.isHeld };
        return { ...row, ...(await detail.hit({ hit, kind })) };
      }),
    );
    const { events, devices, isCut, errors, error } = this;
    return {
      events,
      devices,
      devicesTotal,
      isCut,
      errors,
      hits: { ...this.#hits },
      held: this.#held,
      hitDevices: this.#hitDevices,
      ...(this.isAboutDevice && { holding: await this.#holdingNow(detail) }),
      rows,
      ...(error !== undefined && { error }),
      hours: [...this.#hours].map(([ms, counts]) => ({ hour: new Date(ms).toISOString(), ...counts })),
    };
  }
}

const shown = ({ id, tag, name }: PastDevice['device']) => ({ id, tag, name });

const hourOf = (at: Date) => Math.floor(at.getTime() / hourMs) * hourMs;
