import { createStore } from '#console/core/store.ts';
import type { Command, Device, Json } from '#sdk/device.ts';
import { isOneOf, persistedStore } from './persistedStore.ts';

export interface ReceivedCommand {
  id: string;
  name: string;
  args: Json;
  at: Date;
  expiresAt: Date;
  /** `open` until the command is answered. `kept` below is true once the platform has stored the answer. */
  stage: 'open' | 'done' | 'failed';
  kept: boolean;
  answer?: string;
}

const shownMax = 50;
/** A real device also takes a moment. */
const answersAfterMs = 300;
const rebootMs = 3_000;

interface Pending {
  done: (result: Json | undefined) => void;
  failed: (error: Error) => void;
}

/** The commands that the device received, answered automatically or by the user. */
export class ReceivedCommands {
  readonly all = createStore<readonly ReceivedCommand[]>([]);
  readonly answers = persistedStore('answers', 'self', isOneOf('self', 'hand'));
  readonly #device: Device;
  readonly #open = new Map<string, Pending>();

  constructor(device: Device) {
    this.#device = device;
    device.onCommand('*', (_, command) => this.#take(command));
  }

  succeed(id: string, result?: Json): void {
    this.#open.get(id)?.done(result);
    this.#close(id, 'done', result === undefined ? '' : JSON.stringify(result));
  }

  fail(id: string, error: string): void {
    this.#open.get(id)?.failed(new Error(error));
    this.#close(id, 'failed', error);
  }

  #take(command: Command): Promise<Json | undefined> {
    const { id, name, args, expiresAt, answered } = command;
    const row = { id, name, args, expiresAt, at: new Date(), stage: 'open' as const, kept: false };
    this.all.set([row, ...this.all.get()].slice(0, shownMax));
    void answered.then(() => {
      this.#change(id, { kept: true });
      if (name === 'reboot') this.#reboot();
    });
    const { promise, resolve, reject } = Promise.withResolvers<Json | undefined>();
    this.#open.set(id, { done: resolve, failed: reject });
    if (this.answers.get() === 'self') setTimeout(() => this.succeed(id), answersAfterMs);
    return promise;
  }

  #reboot(): void {
    this.#device.disconnect({ abruptly: true });
    setTimeout(() => this.#device.connect(), rebootMs);
  }

  #close(id: string, stage: 'done' | 'failed', answer: string): void {
    if (this.#open.delete(id)) this.#change(id, { stage, answer });
  }

  #change(id: string, change: Partial<ReceivedCommand>): void {
    this.all.set(this.all.get().map(row => (row.id === id ? { ...row, ...change } : row)));
  }
}
