import type { CommandFrame, ResultFrame } from '#contract/deviceProtocol.ts';
import { apart, type Stop } from './connection/listeners.ts';
import { SendFault, type SendFaultReason } from './connection/sendFault.ts';
import type { Json } from './json.ts';
import { shortText } from './shortText.ts';

export interface Command {
  id: string;
  name: string;
  args: Json;
  expiresAt: Date;
  /** Resolves when the platform has stored the answer: only then is it safe to reboot. */
  answered: Promise<void>;
}

/** Handles a command: the returned value is the result, a thrown error is the error. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler need not return anything
export type CommandHandler = (args: Json, command: Command) => Json | void | Promise<Json | void>;

/** The answers by command id. If it survives a reboot, a command is not executed again after one. */
export interface CommandMemory {
  get(id: string): ResultFrame | undefined;
  set(id: string, answer: ResultFrame): void;
}

const rememberedMax = 1000;
const errorMax = 2000;
/** The platform never stores this answer, but may store another. */
const unfit = new Set<SendFaultReason>(['TOO_LARGE', 'NOT_JSON', 'REJECTED']);

/** Passes commands to their handlers. A repeated command is answered again, but not executed again. */
export class Commands {
  readonly #handlers = new Map<string, CommandHandler>();
  readonly #underWay = new Set<string>();
  /** Also if the memory of the device fails. */
  readonly #answers = new ShortMemory();
  readonly #memory: CommandMemory | undefined;
  readonly #answer: (id: string, answer: ResultFrame) => Promise<void>;

  constructor(answer: (id: string, answer: ResultFrame) => Promise<void>, memory?: CommandMemory) {
    this.#answer = answer;
    this.#memory = memory;
  }

  /** `*` handles every name without its own handler. */
  on(name: string, handler: CommandHandler): Stop {
    this.#handlers.set(name, handler);
    return () => {
      if (this.#handlers.get(name) === handler) this.#handlers.delete(name);
    };
  }

  async take(name: string, { id, args, expiresAt }: CommandFrame): Promise<void> {
    if (this.#underWay.has(id)) return;
    const known = this.#answers.get(id) ?? this.#recalled(id);
    if (known) return this.#send(id, known, () => undefined);
    this.#underWay.add(id);
    const { promise: answered, resolve } = Promise.withResolvers<void>();
    const command: Command = { id, name, args, expiresAt: new Date(expiresAt), answered };
    const answer = await this.#do(command);
    this.#remember(id, answer);
    this.#underWay.delete(id);
    return this.#send(id, answer, resolve);
  }

  /** A memory that fails does not keep the command from being executed. */
  #recalled(id: string): ResultFrame | undefined {
    let known: ResultFrame | undefined;
    apart(() => {
      known = this.#memory?.get(id);
    });
    return known;
  }

  /** Nor does it keep the command from being answered. */
  #remember(id: string, answer: ResultFrame): void {
    this.#answers.set(id, answer);
    apart(() => this.#memory?.set(id, answer));
  }

  async #do(command: Command): Promise<ResultFrame> {
    const handler = this.#handlers.get(command.name) ?? this.#handlers.get('*');
    if (!handler) return failure(`This device does not know the command ${command.name}.`);
    try {
      const result = await handler(command.args, command);
      return result === undefined ? { ok: true } : { ok: true, result };
    } catch (error) {
      return failure(error instanceof Error ? error.message : String(error));
    }
  }

  async #send(id: string, answer: ResultFrame, done: () => void): Promise<void> {
    const fault = await this.#faultOf(id, answer);
    if (!fault) return done();
    // The device was closed or the outbox is full: the command stays unanswered until it expires.
    if (!unfit.has(fault.reason)) return;
    const instead = failure(`The result cannot be sent: ${fault.message}`);
    this.#remember(id, instead);
    // If even this is rejected, the platform does not know the command any more.
    if (!(await this.#faultOf(id, instead))) done();
  }

  /** Why the answer was not stored. */
  async #faultOf(id: string, answer: ResultFrame): Promise<SendFault | undefined> {
    try {
      await this.#answer(id, answer);
      return undefined;
    } catch (error) {
      if (error instanceof SendFault) return error;
      throw error;
    }
  }
}

function failure(text: string): ResultFrame {
  return { ok: false, error: shortText(text, errorMax) };
}

/** The latest answers, until the program ends. */
class ShortMemory implements CommandMemory {
  readonly #answers = new Map<string, ResultFrame>();

  get(id: string): ResultFrame | undefined {
    return this.#answers.get(id);
  }

  set(id: string, answer: ResultFrame): void {
    this.#answers.set(id, answer);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > rememberedMax && oldest !== undefined) this.#answers.delete(oldest);
  }
}
