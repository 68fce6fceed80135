import type { ResultFrame } from '#contract/deviceProtocol.ts';
import type { Actor } from '#server/api/logs/append.ts';
import { type Frame, type Refusal, refuse } from '#server/classes/frames/frames.ts';
import type { LiveEvents } from '#server/devices/devices/liveEvents.ts';
import type { DeviceLogNotes, Noted } from '#server/devices/log/deviceLogNotes.ts';
import type { ConnectedDevice } from '#server/devices/presence/connectedDevices.ts';
import { GroupCommit } from '#server/infra/db/groupCommit.ts';
import type { Platform } from '#server/infra/platform.ts';
import { publishFinished } from './publishStage.ts';
import {
  type Answer,
  type CommandId,
  expireSome,
  finish,
  knownOf,
  markAcknowledged,
  markSent,
  storeLate,
} from './stages.ts';
import { type CommandRow, toCommand } from './store.ts';

const itemsMax = 500;
const platformItself: Actor = { callerType: 'agent', id: 'mooring', displayName: 'Mooring' };

interface Given extends Answer {
  device: Noted;
}

/**
 * Advances commands through their stages, and records each stage in the database, in the device log and on open
 * consoles.
 */
export class StageRecorder {
  readonly #platform: Platform;
  readonly #notes: DeviceLogNotes;
  readonly #liveEvents: LiveEvents;
  readonly #sent: GroupCommit<CommandId, CommandRow | undefined>;
  readonly #acknowledged: GroupCommit<CommandId, CommandRow | undefined>;
  readonly #answers: GroupCommit<Given, Refusal | undefined>;
  /** Commands that their devices have acknowledged but not answered yet. */
  readonly #unanswered = new Set<string>();
  #expiring: Promise<void> | undefined;

  constructor(platform: Platform, { notes, liveEvents }: { notes: DeviceLogNotes; liveEvents: LiveEvents }) {
    this.#platform = platform;
    this.#notes = notes;
    this.#liveEvents = liveEvents;
    const { db, clock } = platform;
    const each = (rows: CommandRow[], ids: CommandId[]) => {
      const byId = new Map(rows.map(row => [row.id, row]));
      return ids.map(({ id }) => byId.get(id));
    };
    this.#sent = new GroupCommit({
      name: 'commands sent',
      run: async ids => each(await markSent(db, ids, clock()), ids),
      itemsMax,
    });
    this.#acknowledged = new GroupCommit({
      name: 'commands acknowledged',
      run: async ids => {
        const open = ids.filter(({ id }) => this.#unanswered.has(id));
        return each(open.length > 0 ? await markAcknowledged(db, open, clock()) : [], ids);
      },
      itemsMax,
      // Most devices answer within this time, and the stored answer implies the acknowledgement, which saves a
      // write.
      gatherMs: 20,
      patient: true,
    });
    this.#answers = new GroupCommit({
      name: 'command results',
      run: all => this.#finish(all),
      itemsMax,
      patient: true,
    });
  }

  /** Call before a command is sent to its device. Returns false if it must not be sent any more. */
  async send(device: ConnectedDevice, id: string): Promise<boolean> {
    const row = await this.#sent.add({ projectId: device.projectId, deviceId: device.id, id });
    // Another connection may have sent it first.
    if (row?.stage === 'sent') this.#publish(device, row, 'sent');
    return row !== undefined;
  }

  async acknowledge(device: ConnectedDevice, id: string): Promise<void> {
    this.#unanswered.add(id);
    try {
      const row = await this.#acknowledged.add({ projectId: device.projectId, deviceId: device.id, id });
      if (row) this.#publish(device, row, 'received by the device');
    } finally {
      this.#unanswered.delete(id);
    }
  }

  /** Stores the answer of a device; resolves once it is stored. */
  answer(device: Noted, id: string, { value }: Frame): Promise<Refusal | undefined> {
    const said = value as ResultFrame;
    const result = said.ok && said.result !== undefined ? JSON.stringify(said.result) : null;
    const error = said.ok ? null : said.error;
    const { projectId, id: deviceId } = device;
    return this.#answers.add({ device, projectId, deviceId, id, ok: said.ok, result, error });
  }

  /** Every second: expires commands that were not answered in time. */
  expire(): void {
    this.#expiring ??= this.#expireAll()
      .catch(error =>
        this.#platform.log('warn', 'Expired commands could not be processed', { error: String(error) }),
      )
      .finally(() => {
        this.#expiring = undefined;
      });
  }

  async stop(): Promise<void> {
    await Promise.all([this.#sent.stop(), this.#acknowledged.stop(), this.#answers.stop(), this.#expiring]);
  }

  async #finish(answers: Given[]): Promise<(Refusal | undefined)[]> {
    const { db, clock } = this.#platform;
    const finished = new Map((await finish(db, firstOfEach(answers), clock())).map(row => [row.id, row]));
    for (const id of finished.keys()) this.#unanswered.delete(id);
    const others = answers.filter(({ id }) => !finished.has(id));
    const [late, known] = others.length > 0 ? await this.#storeLate(others) : [new Map(), new Set<string>()];
    return answers.map(answer => {
      const { id, device } = answer;
      const row = finished.get(id) ?? late.get(id);
      if (!row) return known.has(id) ? undefined : refuse('COMMAND_NOT_FOUND');
      // If a batch contains two answers, the first counts.
      if (!finished.delete(id)) late.delete(id);
      known.add(id);
      this.#publish(device, row, row.answeredLateAt ? 'answered after it had expired' : row.stage, row.error);
      publishFinished(this.#platform, row);
      return undefined;
    });
  }

  /** Most answers are in time and cost one statement. */
  async #storeLate(answers: Given[]): Promise<[Map<string, CommandRow>, Set<string>]> {
    const { db, clock } = this.#platform;
    const rows = await storeLate(db, firstOfEach(answers), clock());
    return [new Map(rows.map(row => [row.id, row])), await knownOf(db, answers)];
  }

  async #expireAll(): Promise<void> {
    const { db, clock } = this.#platform;
    let rows: CommandRow[];
    do {
      rows = await expireSome(db, clock(), itemsMax);
      for (const row of rows) {
        const device = { id: row.deviceId, projectId: row.projectId, displayName: row.deviceId };
        this.#publish(device, row, 'expired', null, platformItself);
        publishFinished(this.#platform, row);
      }
    } while (rows.length === itemsMax);
  }

  #publish(device: Noted, row: CommandRow, what: string, error: string | null = null, actor?: Actor): void {
    const { id: commandId, name, stage } = row;
    this.#notes.note(device, {
      action: 'command',
      level: stage === 'failed' || stage === 'expired' ? 1 : 2,
      text: `Command ${name} ${what}${error === null ? '' : `: ${error}`}`,
      detail: { commandId, stage },
      ...(actor && { actor }),
    });
    if (this.#liveEvents.isWatched(device)) this.#liveEvents.publish(device, 'command', toCommand(row));
  }
}

function firstOfEach(answers: Given[]): Given[] {
  return [...new Map(answers.toReversed().map(answer => [answer.id, answer])).values()];
}
