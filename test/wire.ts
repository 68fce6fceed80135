import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';

export interface Wire {
  /** The connection URL of the database at the other end. */
  url: string;
  /** Breaks every connection and refuses new ones, like a machine that goes down. */
  cut(): void;
  /** Keeps every connection open and passes nothing on, like a database whose process is stopped or whose disk is stuck. */
  hang(): void;
  mend(): void;
  end(): Promise<void>;
}

/** A connection to a database that can be cut, or hang. */
export async function aWire(databaseUrl: string): Promise<Wire> {
  const target = new URL(databaseUrl);
  const folder = target.searchParams.get('host');
  const port = Number(target.port);
  const ends = new Set<Socket>();
  const pairs = new Set<readonly [Socket, Socket]>();
  let isCut = false;
  let hangs = false;
  const server = createServer(near => {
    if (isCut) return near.destroy();
    const far = folder ? connect(join(folder, `.s.PGSQL.${port}`)) : connect({ host: target.hostname, port });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(one);
      one
        .on('error', () => other.destroy())
        .on('close', () => {
          ends.delete(one);
          other.destroy();
        });
    }
    const pair = [near, far] as const;
    pairs.add(pair);
    near.once('close', () => pairs.delete(pair));
    if (!hangs) near.pipe(far).pipe(near);
    return undefined;
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = new URL(databaseUrl);
  url.searchParams.delete('host');
  url.host = `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  const cut = () => {
    isCut = true;
    for (const one of ends) one.destroy();
  };
  return {
    url: url.href,
    cut,
    hang: () => {
      isCut = false;
      hangs = true;
      for (const [near, far] of pairs) {
        near.unpipe(far);
        far.unpipe(near);
      }
    },
    mend: () => {
      isCut = false;
      if (hangs) for (const [near, far] of pairs) near.pipe(far).pipe(near);
      hangs = false;
    },
    end: () => {
      cut();
      return new Promise(resolve => server.close(() => resolve()));
    },
  };
}
