import type { NatsConnection, NodeConnectionOptions, Subscription } from '@nats-io/transport-node';
import type { Log } from '#server/infra/log.ts';
import { type Bus, createLocalBus } from './bus.ts';

const prefix = 'mooring';
const retryMs = 1_000;
const connectTimeoutMs = 3_000;
const pingMs = 10_000;

interface Listening {
  hearers: number;
  subscription: Subscription | undefined;
}

/**
 * A bus for several processes, over NATS. Subscribers in this process are called directly; other processes receive
 * messages while NATS is reachable. Publishing never waits for NATS: messages lost in the meantime are made up for by
 * polling.
 */
export class NatsBus implements Bus {
  readonly #urls: string;
  readonly #log: Log;
  readonly #local: Bus;
  readonly #subjects = new Map<string, Listening>();
  readonly #following: Promise<void>;
  #connection: NatsConnection | undefined;
  #isThere = false;
  #isEnded = false;

  constructor(urls: string, log: Log) {
    this.#urls = urls;
    this.#log = log;
    this.#local = createLocalBus(log);
    this.#following = this.#follow();
  }

  get isAway(): boolean {
    return !this.#isThere;
  }

  publish(subject: string, message: unknown): void {
    this.#local.publish(subject, message);
    if (!this.#isThere || !this.#connection) return;
    try {
      this.#connection.publish(natsSubject(subject), JSON.stringify(message));
    } catch (error) {
      this.#log('warn', 'A message could not be sent to the other processes', {
        subject,
        error: String(error),
      });
    }
  }

  subscribe(subject: string, hear: (message: unknown) => void): () => void {
    const unsubscribe = this.#local.subscribe(subject, hear);
    const listening = this.#subjects.get(subject) ?? { hearers: 0, subscription: this.#listen(subject) };
    listening.hearers += 1;
    this.#subjects.set(subject, listening);
    let isHearing = true;
    return () => {
      if (!isHearing) return;
      isHearing = false;
      unsubscribe();
      this.#leave(subject, listening);
    };
  }

  async end(): Promise<void> {
    this.#isEnded = true;
    if (!this.#connection) return;
    // Flush messages that are still buffered.
    if (this.#isThere) await this.#connection.drain();
    else await this.#connection.close();
    await this.#following;
  }

  #leave(subject: string, listening: Listening): void {
    listening.hearers -= 1;
    if (listening.hearers > 0) return;
    this.#subjects.delete(subject);
    listening.subscription?.unsubscribe();
  }

  #listen(subject: string): Subscription | undefined {
    return this.#connection?.subscribe(natsSubject(subject), {
      callback: (error, message) => {
        if (!error) this.#deliver(subject, message.string());
      },
    });
  }

  /** Prefixes all subjects, because the server may be shared with other applications. */
  #deliver(subject: string, text: string): void {
    try {
      this.#local.publish(subject, JSON.parse(text));
    } catch (error) {
      this.#log('warn', 'A message from another process could not be read', {
        subject,
        error: String(error),
      });
    }
  }

  /** Connects and reconnects until closed. */
  async #follow(): Promise<void> {
    // Imported lazily: only installations with NATS pay for it at start.
    const { connect } = await import('@nats-io/transport-node');
    for (let isFirst = true; !this.#isEnded; isFirst = false) {
      try {
        const connection = await connect(optionsOf(this.#urls));
        if (this.#isEnded) return await connection.close();
        await this.#use(connection);
      } catch (error) {
        if (isFirst) this.#log('warn', 'NATS cannot be reached; retrying', { error: String(error) });
      }
      if (!this.#isEnded) await new Promise(resolve => setTimeout(resolve, retryMs).unref());
    }
  }

  /**
   * Resolves when the connection is closed for good; until then, the client reconnects and restores its
   * subscriptions.
   */
  async #use(connection: NatsConnection): Promise<void> {
    this.#connection = connection;
    for (const [subject, listening] of this.#subjects) listening.subscription = this.#listen(subject);
    this.#setThere(true);
    for await (const { type } of connection.status()) {
      if (type === 'disconnect' || type === 'staleConnection' || type === 'close') this.#setThere(false);
      else if (type === 'reconnect') this.#setThere(true);
    }
    this.#connection = undefined;
  }

  #setThere(isThere: boolean): void {
    if (isThere === this.#isThere || this.#isEnded) return;
    this.#isThere = isThere;
    if (isThere) this.#log('info', 'Connected to NATS');
    else this.#log('warn', 'Disconnected from NATS: other processes receive nothing until it is back');
  }
}

/** Encodes a part of our subject as a NATS token: characters with a meaning there are written as their code. */
export function natsSubject(subject: string): string {
  const tokens = subject
    .split(' ')
    .map(word => word.replace(/[^A-Za-z0-9_-]/gu, sign => `=${sign.codePointAt(0)?.toString(16)}=`));
  return [prefix, ...tokens].join('.');
}

function optionsOf(urls: string): NodeConnectionOptions {
  const all = urls.split(',').map(url => new URL(url.trim()));
  const [{ username, password } = { username: '', password: '' }] = all.filter(one => one.username !== '');
  return {
    servers: all.map(({ hostname, port }) => `${hostname}:${port || 4222}`),
    name: prefix,
    // Skip our own messages, which were delivered directly.
    noEcho: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: retryMs,
    timeout: connectTimeoutMs,
    pingInterval: pingMs,
    ...(all.some(({ protocol }) => protocol === 'tls:') && { tls: {} }),
    ...(username !== '' &&
      password !== '' && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    ...(username !== '' && password === '' && { token: decodeURIComponent(username) }),
  };
}
