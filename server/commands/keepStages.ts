import type { ResultFrame } from '#contract/deviceProtocol.ts';
import {
  type Answer,
  type CommandId,
  expireSome,
  finish,
  markAcknowledged,
  markSent,
  stagesOf,
} from '#server/commands/stages.ts';
import { type CommandRow, toCommand } from '#server/commands/store.ts';
import { tellFinished } from '#server/commands/tellStage.ts';
import { type Frame, type Refusal, refuse } from '#server/deviceFrames/frames.ts';
import { truncate } from '#server/deviceFrames/truncate.ts';
import type { DeviceLogNotes, Noted } from '#server/deviceLog/deviceLogNotes.ts';
import type { LiveEvents } from '#server/devices/liveEvents.ts';
import type { Actor } from '#server/logs/append.ts';
import { DeviceRepeatThrottle } from '#server/pace/deviceRepeatThrottle.ts';
import { GroupCommit } from '#server/pace/groupCommit.ts';
import type { Platform } from '#server/platform.ts';
import type { ConnectedDevice } from '#server/presence/connectedDevices.ts';

const itemsMax = 500;
/** Late answers to a command are logged once; the answer is included if it is short. */
const late = { withinMs: 3_600_000, resultMax: 2_000 };
const platformItself: Actor = { callerType: 'agent', id: 'mooring', displayName: 'Mooring' };

interface Given extends Answer {
  device: Noted;
}

/**
 * Advances commands through their stages, and records each stage in the database, in the device log and on open
 * consoles.
 */
export class StageKeeper {
  readonly #platform: Platform;
  readonly #notes: DeviceLogNotes;
  readonly #liveEvents: LiveEvents;
  readonly #sent: GroupCommit<CommandId, CommandRow | undefined>;
  readonly #acknowledged: GroupCommit<CommandId, CommandRow | undefined>;
  readonly #answers: GroupCommit<Given, Refusal | undefined>;
  readonly #late = new DeviceRepeatThrottle(late.withinMs);
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
    this.#sent = new GroupCommit({ run: async ids => each(await markSent(db, ids, clock()), ids), itemsMax });
    this.#acknowledged = new GroupCommit({
      run: async ids => each(await markAcknowledged(db, ids, clock()), ids),
      itemsMax,
      // Most devices answer within this time, and the answer implies the acknowledgement, which saves a
      // write.
      gatherMs: 20,
      patient: true,
    });
    this.#answers = new GroupCommit({ run: all => this.#finish(all), itemsMax, patient: true });
  }

  /** Call before a command is sent to its device. Returns false if it must not be sent any more. */
  async send(device: ConnectedDevice, id: string): Promise<boolean> {
    const row = await this.#sent.add({ projectId: device.projectId, deviceId: device.id, id });
    // Another connection may have sent it first.
    if (row?.stage === 'sent') this.#tell(device, row, 'sent');
    return row !== undefined;
  }

  async acknowledge(device: ConnectedDevice, id: string): Promise<void> {
    const row = await this.#acknowledged.add({ projectId: device.projectId, deviceId: device.id, id });
    if (row) this.#tell(device, row, 'received by the device');
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
    const others = answers.filter(({ id }) => !finished.has(id));
    const stages =
      others.length > 0 ? await stagesOf(db, others) : new Map<string, { stage: string; name: string }>();
    return answers.map(answer => {
      const row = finished.get(answer.id);
      if (row) {
        // If one batch holds two answers, the first counts.
        finished.delete(answer.id);
        stages.set(answer.id, row);
        this.#tell(answer.device, row, row.stage, row.error === null ? undefined : row.error);
        tellFinished(this.#platform, row);
        return undefined;
      }
      const known = stages.get(answer.id);
      if (!known) return refuse('COMMAND_NOT_FOUND');
      if (known.stage !== 'done' && known.stage !== 'failed') this.#noteLate(answer, known.name);
      return undefined;
    });
  }

  async #expireAll(): Promise<void> {
    const { db, clock } = this.#platform;
    let rows: CommandRow[];
    do {
      rows = await expireSome(db, clock(), itemsMax);
      for (const row of rows) {
        const device = { id: row.deviceId, projectId: row.projectId, displayName: row.deviceId };
        this.#tell(device, row, 'expired', undefined, platformItself);
        tellFinished(this.#platform, row);
      }
    } while (rows.length === itemsMax);
  }

  #tell(device: Noted, row: CommandRow, what: string, error?: string, actor?: Actor): void {
    const { id: commandId, name, stage } = row;
    this.#notes.note(device, {
      action: 'command',
      level: stage === 'failed' || stage === 'expired' ? 1 : 2,
      text: `Command ${name} ${what}${error === undefined ? '' : `: ${error}`}`,
      detail: { commandId, stage },
      ...(actor && { actor }),
    });
    if (this.#liveEvents.isWatched(device)) this.#liveEvents.tell(device, 'command', toCommand(row));
  }

  #noteLate({ device, id, ok, result, error }: Given, name: string): void {
    if (!this.#late.isFirst(device.id, id, performance.now())) return;
    const said = ok ? { ok, ...lateResult(result) } : { ok, error };
    const text = `Command ${name} was answered after it had expired`;
    this.#notes.note(device, { action: 'command', level: 1, text, detail: { commandId: id, ...said } });
  }
}

/** A truncated result is not valid JSON, so it is shown as text. */
function lateResult(result: string | null): Record<string, unknown> {
  if (result === null) return {};
  if (result.length > late.resultMax) return { resultBegins: truncate(result, late.resultMax) };
  return { result: JSON.parse(result) as unknown };
}

function firstOfEach(answers: Given[]): Given[] {
  return [...new Map(answers.toReversed().map(answer => [answer.id, answer])).values()];
}
