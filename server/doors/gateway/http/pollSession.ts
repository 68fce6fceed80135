import type { DisconnectReason, FetchedCommand } from '#contract/deviceProtocol.ts';
import { Problem } from '#contract/problem.ts';
import { pollAgainMs } from '#rules/devices/gatewayLimits.ts';
import { forgetOver, type PendingCommand } from '#server/devices/commands/pendingCommands.ts';
import type { Credential } from '#server/devices/keys/credential.ts';
import type { ConnectedDevice } from '#server/devices/presence/connectedDevices.ts';
import type { Session, Waiting } from '#server/devices/presence/deviceSession.ts';
import type { GatewayParts } from '#server/doors/gateway/parts.ts';

/** How long a device counts as connected after its last call, so that it does not flap between polls. */
const lingerMs = 5_000;
/** Also polls from time to time, because a notice can be lost. */
const lookMs = 5_000;
const fetchedMax = 32;

/** A device that long-polls for commands: one registered connection and one waiting call. */
export class PollSession implements Session {
  /** Empty, unlike that of any MQTT client, so that no MQTT connection can take over this one. */
  readonly clientId = '';
  readonly protocol = 'http';
  readonly device: ConnectedDevice;
  readonly credential: Credential;
  readonly address: string;
  number = 0;
  /** Rejects if the device cannot connect. */
  readonly arrived: Promise<void>;
  readonly #parts: GatewayParts;
  readonly #forget: () => void;
  /** When each command was delivered. */
  readonly #fetched = new Map<string, number>();
  #told = Promise.withResolvers<void>();
  /** Serializes calls, because concurrent ones would find the same commands. */
  #taking: Promise<unknown> = Promise.resolve();
  #calls = 0;
  #leftMs = performance.now();
  /** The number of the newest call. */
  #turn = 0;
  #linger: NodeJS.Timeout | undefined;
  #endedFor: DisconnectReason | undefined;

  constructor(
    parts: GatewayParts,
    given: { device: ConnectedDevice; credential: Credential; address: string },
    forget: () => void,
  ) {
    this.#parts = parts;
    this.device = given.device;
    this.credential = given.credential;
    this.address = given.address;
    this.#forget = forget;
    this.device.sessions.add(this);
    this.arrived = this.#arrive();
  }

  get isOver(): boolean {
    return this.#endedFor !== undefined;
  }

  get silentMs(): number {
    return this.#calls > 0 ? 0 : performance.now() - this.#leftMs;
  }

  /** Marks a call as in progress until the returned function is called. */
  join(): () => void {
    this.#calls += 1;
    clearTimeout(this.#linger);
    return () => {
      this.#calls -= 1;
      this.#leftMs = performance.now();
      if (this.#calls === 0) this.#linger = setTimeout(() => this.end('CLOSED'), lingerMs);
    };
  }

  /**
   * Waits for pending commands; empty on timeout. A newer call ends an older one with an empty answer: its
   * client may have given up, and commands handed to it would be lost.
   */
  async fetch(waitMs: number, gone: Promise<void>): Promise<FetchedCommand[]> {
    const untilMs = performance.now() + waitMs;
    this.#turn += 1;
    const turn = this.#turn;
    this.#wake();
    let isGone = false;
    void gone.then(() => {
      isGone = true;
    });
    const isOver = () => isGone || this.#endedFor !== undefined || turn !== this.#turn;
    for (;;) {
      const told = this.#told.promise;
      const commands = await this.#inTurn(async () => (isOver() ? [] : this.#take()));
      const leftMs = untilMs - performance.now();
      if (commands.length > 0 || isOver() || leftMs <= 0) return commands;
      let timer: NodeJS.Timeout | undefined;
      const time = new Promise(resolve => {
        timer = setTimeout(resolve, Math.min(leftMs, lookMs));
      });
      await Promise.race([told, gone, time]);
      clearTimeout(timer);
    }
  }

  end(reason: DisconnectReason): void {
    if (this.#endedFor) return;
    this.#endedFor = reason;
    clearTimeout(this.#linger);
    this.#forget();
    this.#parts.devices.leave(this.device, this);
    if (this.number > 0) this.#parts.connectionRecord.left(this, reason);
    this.#wake();
  }

  /** Commands are delivered only when the device polls; until then they are not in flight. */
  hears(): undefined {}

  command(): void {
    this.#wake();
  }

  commandsWaiting(waiting: readonly Waiting[], askedMs: number): void {
    forgetOver(this.#fetched, waiting, askedMs);
    if (waiting.some(({ id }) => this.#isDue(id))) this.#wake();
  }

  /** Retained values are fetched by separate calls. */
  refresh(): void {}

  askForLog(): void {}

  async #arrive(): Promise<void> {
    const refusal = await this.#parts.connectionRecord.arrive(this).catch((error: unknown) => {
      // The next call tries again.
      this.end('LOST');
      throw error;
    });
    if (refusal === undefined) {
      if (this.#endedFor) this.#parts.connectionRecord.left(this, this.#endedFor);
      return;
    }
    this.end('LOST');
    if (refusal === 'LEFT') return;
    if (refusal === 'SUSPENDED') throw new Problem('DEVICE_SUSPENDED');
    throw new Problem('DEVICE_KEY_WRONG');
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#taking.then(work);
    this.#taking = turn.catch(() => undefined);
    return turn;
  }

  async #take(): Promise<FetchedCommand[]> {
    const taken: FetchedCommand[] = [];
    for (let after: string | undefined = ''; after !== undefined && taken.length < fetchedMax; ) {
      const page: PendingCommand[] = await this.#parts.pending.after(this.device, after);
      const due = page.filter(({ id }) => this.#isDue(id)).slice(0, fetchedMax - taken.length);
      taken.push(...due.map(({ name, frame }) => ({ name, ...frame })));
      after = page.at(-1)?.id;
    }
    for (const { id } of taken) this.#fetched.set(id, performance.now());
    const may = await Promise.all(taken.map(({ id }) => this.#parts.commands.send(this.device, id))).catch(
      (error: unknown) => {
        // The call was aborted: leave the commands to the next one.
        for (const { id } of taken) this.#fetched.delete(id);
        throw error;
      },
    );
    return taken.filter((_, at) => may[at]);
  }

  #isDue(id: string): boolean {
    const atMs = this.#fetched.get(id);
    return atMs === undefined || performance.now() - atMs > pollAgainMs;
  }

  #wake(): void {
    this.#told.resolve();
    this.#told = Promise.withResolvers();
  }
}
