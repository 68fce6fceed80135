import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';

export interface Wire {
  /** The connection URL of the database at the other end. */
  url: string;
  /** Breaks every connection and refuses new ones, like a machine that goes down. */
  cut(): void;
  mend(): void;
  end(): Promise<void>;
}

/** A connection to a database that can be cut. */
export async function aWire(databaseUrl: string): Promise<Wire> {
  const target = new URL(databaseUrl);
  const folder = target.searchParams.get('host');
  const port = Number(target.port);
  const ends = new Set<Socket>();
  let isCut = false;
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
    return near.pipe(far).pipe(near);
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
    mend: () => {
      isCut = false;
    },
    end: () => {
      cut();
      return new Promise(resolve => server.close(() => resolve()));
    },
  };
}
