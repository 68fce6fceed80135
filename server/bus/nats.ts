import type { NatsConnection, NodeConnectionOptions, Subscription } from '@nats-io/transport-node';
import type { Log } from '#server/log.ts';
import { type Bus, createLocalBus } from './bus.ts';

const prefix = 'mooring';
const retryMs = 1_000;
const connectTimeoutMs = 3_000;
const pingMs = 10_000;

/**
 * The bus of several processes. Who is in this one hears at once, as without NATS; the others as long as NATS is there.
 * While it is not, nobody waits for it: what is told in the meantime, the others find by themselves.
 */
export function createNatsBus(urls: string, log: Log): Bus {
  const local = createLocalBus();
  const subjects = new Map<string, { hearers: number; subscription: Subscription | undefined }>();
  let connection: NatsConnection | undefined;
  let isThere = false;
  let isEnded = false;

  function listen(subject: string): Subscription | undefined {
    return connection?.subscribe(natsSubject(subject), {
      callback: (error, message) => {
        if (!error) tell(subject, message.string());
      },
    });
  }

  /** Others may have the same server, and say what we would not. */
  function tell(subject: string, text: string): void {
    try {
      local.publish(subject, JSON.parse(text));
    } catch (error) {
      log('warn', 'A message of another process could not be read', { subject, error: String(error) });
    }
  }

  function note(there: boolean): void {
    if (there === isThere || isEnded) return;
    isThere = there;
    if (there) log('info', 'NATS is there');
    else log('warn', 'NATS is away: other processes hear nothing until it is back');
  }

  async function follow(opened: NatsConnection): Promise<void> {
    for await (const { type } of opened.status()) {
      if (type === 'disconnect' || type === 'staleConnection' || type === 'close') note(false);
      else if (type === 'reconnect') note(true);
    }
  }

  async function open(): Promise<void> {
    // Only who has NATS pays for it at the start.
    const { connect } = await import('@nats-io/transport-node');
    for (let isFirst = true; !isEnded; isFirst = false) {
      try {
        const opened = await connect(optionsOf(urls));
        if (isEnded) return await opened.close();
        connection = opened;
        for (const [subject, one] of subjects) one.subscription = listen(subject);
        note(true);
        await follow(opened);
        connection = undefined;
      } catch (error) {
        if (isFirst) log('warn', 'NATS cannot be reached; trying on', { error: String(error) });
      }
      if (!isEnded) await new Promise(resolve => setTimeout(resolve, retryMs).unref());
    }
  }

  const following = open();

  return {
    get isAway() {
      return !isThere;
    },
    publish(subject, message) {
      local.publish(subject, message);
      if (!isThere || !connection) return;
      try {
        connection.publish(natsSubject(subject), JSON.stringify(message));
      } catch (error) {
        log('warn', 'A message could not be told to other processes', { subject, error: String(error) });
      }
    },
    subscribe(subject, hear) {
      const unsubscribe = local.subscribe(subject, hear);
      const one = subjects.get(subject) ?? { hearers: 0, subscription: listen(subject) };
      one.hearers += 1;
      subjects.set(subject, one);
      let isHearing = true;
      return () => {
        if (!isHearing) return;
        isHearing = false;
        unsubscribe();
        one.hearers -= 1;
        if (one.hearers > 0) return;
        subjects.delete(subject);
        one.subscription?.unsubscribe();
      };
    },
    async end() {
      isEnded = true;
      if (!connection) return;
      // What was told last is still to go out.
      if (isThere) await connection.drain();
      else await connection.close();
      await following;
    },
  };
}

/** Words of our subjects become its tokens; what would have a meaning there is written by its number. */
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
    // We have heard ourselves already.
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
