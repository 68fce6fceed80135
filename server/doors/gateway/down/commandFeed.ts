import type { CommandFrame } from '#contract/deviceProtocol.ts';
import { forgetOver } from '#server/devices/commands/pendingCommands.ts';
import type { Waiting } from '#server/devices/presence/deviceSession.ts';
import type { MqttSession } from '#server/doors/gateway/mqtt/mqttSession.ts';
import type { GatewayParts } from '#server/doors/gateway/parts.ts';

/** The most commands in flight per connection before further ones wait. */
const inFlightMax = 32;

interface Sendable {
  id: string;
  name: string;
  frame: CommandFrame;
  /** Already marked as sent. */
  isSent?: boolean;
}

const json = new TextEncoder();

/** Delivers the commands of a device over one connection: in order, each once, and with backpressure. */
export class CommandFeed {
  readonly #parts: GatewayParts;
  readonly #session: MqttSession;
  /** Commands sent over this connection that are not finished, and when they were sent. */
  readonly #delivered = new Map<string, number>();
  #inFlight = 0;
  #isFeeding = false;
  /** How many commands are being delivered on arrival and are not yet marked as sent. */
  #delivering = 0;
  #isAskedAgain = false;
  /** There may be more pending commands, for which there was no room. */
  #isBehind = false;

  constructor(parts: GatewayParts, session: MqttSession) {
    this.#parts = parts;
    this.#session = session;
  }

  /** Sends pending commands as far as there is room. */
  feed(): void {
    this.#isAskedAgain = true;
    if (this.#isFeeding) return;
    this.#isFeeding = true;
    this.#feedAll().catch(error =>
      this.#parts.platform.log('warn', 'Commands are waiting for the database', { error: String(error) }),
    );
  }

  /** Delivers a new command, after older pending ones. */
  command(name: string, frame: CommandFrame, isSent: boolean): void {
    const command = { id: frame.id, name, frame, isSent };
    if (this.#isFeeding || this.#isBehind || this.#delivering > 0) {
      this.feed();
      return;
    }
    this.#delivering += 1;
    this.#deliver([command])
      .catch(() => this.feed())
      .finally(() => {
        this.#delivering -= 1;
      });
  }

  waiting(waiting: readonly Waiting[], askedMs: number): void {
    // A page read earlier may contain commands that have finished meanwhile.
    if (!this.#isFeeding) forgetOver(this.#delivered, waiting, askedMs);
    if (waiting.some(one => this.#isWanted(one))) this.feed();
  }

  /** Called when there is room again. */
  roomed(): void {
    if (this.#isBehind) this.feed();
  }

  async #feedAll(): Promise<void> {
    try {
      while (this.#isAskedAgain) {
        this.#isAskedAgain = false;
        this.#isBehind = false;
        await this.#feedPages();
      }
    } finally {
      // Checked without an await after the last query, so that a request in between is not lost.
      this.#isFeeding = false;
    }
  }

  async #feedPages(): Promise<void> {
    let after = '';
    for (;;) {
      const page = await this.#parts.pending.after(this.#session.device, after);
      await this.#deliver(page);
      const last = page.at(-1);
      if (!last || this.#isBehind) break;
      after = last.id;
    }
  }

  async #deliver(commands: readonly Sendable[]): Promise<void> {
    const wanted = commands.filter(command => this.#isWanted(command));
    const room = this.#session.isBehind ? 0 : inFlightMax - this.#inFlight;
    if (wanted.length > room) this.#isBehind = true;
    const sending = wanted.slice(0, Math.max(0, room));
    for (const { id } of sending) this.#delivered.set(id, performance.now());
    const { device } = this.#session;
    await Promise.all(
      sending.map(async command => {
        if (command.isSent) {
          this.#write(command);
          return;
        }
        const may = await this.#parts.commands.send(device, command.id).catch((error: unknown) => {
          this.#delivered.delete(command.id);
          throw error;
        });
        if (may) this.#write(command);
      }),
    );
  }

  #write({ id, name, frame }: Sendable): void {
    const { device } = this.#session;
    const acknowledged = () => {
      this.#inFlight -= 1;
      this.#parts.commands.acknowledge(device, id).catch(error =>
        // The command stays `sent` and is sent again on the next connection.
        this.#parts.platform.log('warn', 'A queued command could not be announced', {
          error: String(error),
        }),
      );
      this.roomed();
    };
    const isAcknowledged = this.#session.hears(`commands/${name}`) === 1;
    if (this.#session.send(`commands/${name}`, json.encode(JSON.stringify(frame)), { acknowledged })) {
      this.#inFlight += isAcknowledged ? 1 : 0;
    } else this.#delivered.delete(id);
  }

  #isWanted({ id, name }: Waiting): boolean {
    return !this.#delivered.has(id) && this.#session.hears(`commands/${name}`) !== undefined;
  }
}
