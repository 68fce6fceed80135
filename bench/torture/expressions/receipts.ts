import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Receives the webhooks of rules, and measures how long after its event each arrives. */
export async function startReceipts() {
  const sent = new Map<string, number>();
  let tookMs: number[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on('end', () => {
      const { data } = JSON.parse(text) as { data: { payload: { number: string } } };
      const { number } = data.payload;
      const atMs = sent.get(number);
      if (atMs !== undefined) tookMs.push(performance.now() - atMs);
      sent.delete(number);
      response.writeHead(204).end();
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The times since the last call. */
    take(): number[] {
      const taken = tookMs;
      tookMs = [];
      return taken;
    },
    expect(number: string): void {
      sent.set(number, performance.now());
    },
    unanswered: () => sent.size,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

export type Receipts = Awaited<ReturnType<typeof startReceipts>>;
