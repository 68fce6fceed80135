import { expect, it } from 'vitest';
import { CallFailed } from '#contract/client.ts';
import type { VersionUpload } from '#contract/componentVersion.ts';
import { UploadRun } from './uploadRun.ts';
import type { UploadPhase, UploadView, UploadWorld } from './uploadView.ts';

const begun: VersionUpload = {
  uploadId: 'upl_1',
  filename: 'os.img',
  sizeBytes: 45,
  partBytes: 10,
  urls: ['/1', '/2', '/3', '/4', '/5'],
  stored: [],
  state: 'open',
  expiresAt: '2026-01-01T00:00:00Z',
};

const cut = () => new CallFailed({ reason: 'CONNECTION_ERROR', message: 'cut' }, { status: 0 });
const refused = (reason: CallFailed['reason'], status: number) =>
  new CallFailed({ reason, message: reason }, { status });

/** A server in memory: it knows what it has stored, how it should fail, and how often each part arrived. */
function aWorld(more: Partial<UploadWorld> = {}, hash: Promise<string> = Promise.resolve('abc')) {
  const stored = new Set<number>();
  const sent: number[] = [];
  const completed: unknown[] = [];
  const waits: number[] = [];
  const world: UploadWorld = {
    async put({ number, from, to }, _url, _signal, onSent) {
      sent.push(number);
      onSent(to - from);
      await Promise.resolve();
      stored.add(number);
    },
    hash: () => hash,
    read: async () => ({ ...begun, stored: [...stored] }),
    complete: async body => completed.push(body),
    wait: async ms => void waits.push(ms),
    now: () => 0,
    isSigned: false,
    ...more,
  };
  return { world, stored, sent, completed, waits };
}

function reaching(run: UploadRun, ...phases: UploadPhase[]): Promise<UploadView> {
  return new Promise(resolve => {
    const look = () => phases.includes(run.view.get().phase) && resolve(run.view.get());
    run.view.subscribe(look);
    look();
  });
}

const states = ({ parts }: UploadView) => parts.map(({ state }) => state);

it('a file arrives complete, with each part sent once, and is completed with its checksum', async () => {
  const { world, sent, completed } = aWorld();
  const view = await reaching(new UploadRun(begun, world), 'sent');
  expect(sent.toSorted()).toEqual([1, 2, 3, 4, 5]);
  expect(view.sentBytes).toBe(45);
  expect(completed).toEqual([{ sha256: 'abc' }]);
});

it('at most three parts are being sent at once', async () => {
  let underWay = 0;
  let most = 0;
  const { world } = aWorld({
    async put() {
      most = Math.max(most, ++underWay);
      await Promise.resolve();
      underWay--;
    },
  });
  await reaching(new UploadRun(begun, world), 'sent');
  expect(most).toBe(3);
});

it('after an interruption only missing parts are sent, even if the response to a stored part was lost', async () => {
  const cutOff = new Set([2, 4]);
  const faked = aWorld();
  const { world, stored, sent } = aWorld({
    async put(part, ...rest) {
      sent.push(part.number);
      if (part.number === 2) stored.add(2);
      if (cutOff.delete(part.number)) throw cut();
      await faked.world.put(part, ...rest);
      stored.add(part.number);
    },
  });
  const view = await reaching(new UploadRun(begun, world), 'sent');
  expect(sent.filter(number => number === 2)).toHaveLength(1);
  expect(view.resumedAfterMs).toBe(0);
});

it('an interruption of one part lets the others arrive', async () => {
  const arrive: (() => void)[] = [];
  const tries: number[] = [];
  const faked = aWorld();
  const { world } = aWorld({
    async put({ number }) {
      tries.push(number);
      if (number === 1 && tries.length < 4) throw cut();
      if (tries.length < 4) await new Promise<void>(resolve => arrive.push(resolve));
      faked.stored.add(number);
    },
    async wait() {
      for (const one of arrive) one();
    },
    read: () => faked.world.read(),
  });
  await reaching(new UploadRun(begun, world), 'sent');
  expect(tries.toSorted()).toEqual([1, 1, 2, 3, 4, 5]);
});

it('while the server does not answer, the wait grows with each attempt', async () => {
  let fails = 4;
  const { world, waits } = aWorld({
    async put() {
      if (fails === 4) throw cut();
    },
    async read() {
      if (--fails > 0) throw cut();
      return begun;
    },
  });
  await reaching(new UploadRun(begun, world), 'sent');
  expect(waits).toHaveLength(4);
  waits.forEach((ms, tries) => {
    expect(ms).toBeGreaterThanOrEqual(750 * 2 ** tries);
    expect(ms).toBeLessThanOrEqual(1250 * 2 ** tries);
  });
});

it('a resumed upload does not send parts again that are stored', async () => {
  const { world, sent } = aWorld();
  await reaching(new UploadRun({ ...begun, stored: [1, 2, 4] }, world), 'sent');
  expect(sent.toSorted()).toEqual([3, 5]);
});

it('a part that arrives damaged is sent three times, then stays failed until someone retries', async () => {
  let isBroken = true;
  const tried: number[] = [];
  const { world, completed } = aWorld({
    async put({ number }) {
      if (number === 3) tried.push(number);
      if (number === 3 && isBroken) throw refused('DIGEST_MISMATCH', 422);
    },
  });
  const run = new UploadRun(begun, world);
  expect(states(await reaching(run, 'stuck'))).toEqual(['stored', 'stored', 'failed', 'stored', 'stored']);
  expect(tried).toHaveLength(3);
  expect(run.view.get().refusal).toMatchObject({ reason: 'DIGEST_MISMATCH' });
  expect(completed).toEqual([]);
  isBroken = false;
  run.retry(3);
  await reaching(run, 'sent');
});

it('an expired link is requested again', async () => {
  const used: string[] = [];
  const { world } = aWorld({
    async put(_part, url) {
      used.push(url);
      if (url.startsWith('/')) throw refused('LINK_EXPIRED', 403);
    },
    read: async () => ({ ...begun, urls: begun.urls.map(url => `new${url}`) }),
  });
  await reaching(new UploadRun(begun, world), 'sent');
  expect(used).toContain('new/1');
});

it('a paused upload sends nothing, and a resumed one sends the rest', async () => {
  const { world, sent } = aWorld({
    put: ({ number }, _url, signal) =>
      new Promise((resolve, reject) => {
        sent.push(number);
        if (sent.length > 3) return resolve();
        signal.addEventListener('abort', () => reject(cut()));
      }),
  });
  const run = new UploadRun(begun, world);
  run.pause();
  await Promise.resolve();
  expect(run.view.get().phase).toBe('paused');
  expect(sent).toEqual([1, 2, 3]);
  run.resume();
  await reaching(run, 'sent');
  expect(sent).toHaveLength(8);
});

it('a file whose checksum is not the given one is never completed', async () => {
  const { world, completed } = aWorld();
  const view = await reaching(new UploadRun({ ...begun, sha256: 'ABD' }, world), 'failed', 'sent');
  expect(view.refusal).toEqual({ kind: 'checksum' });
  expect(completed).toEqual([]);
});

it('a file that has to be signed waits for its signature', async () => {
  const { world, completed } = aWorld({ isSigned: true });
  const run = new UploadRun(begun, world);
  await reaching(run, 'signing');
  expect(completed).toEqual([]);
  run.sign({ keyId: 'a', value: 'b' });
  await reaching(run, 'sent');
  expect(completed).toEqual([{ sha256: 'abc', signature: { keyId: 'a', value: 'b' } }]);
});

it('an upload that no longer exists on the server ends, and says why', async () => {
  const { world } = aWorld({
    put: async () => Promise.reject(cut()),
    read: async () => Promise.reject(refused('UPLOAD_NOT_FOUND', 404)),
  });
  const view = await reaching(new UploadRun(begun, world), 'failed');
  expect(view.refusal).toMatchObject({ reason: 'UPLOAD_NOT_FOUND' });
});

it('a cancelled upload reports nothing more and completes nothing', async () => {
  const { world, completed } = aWorld();
  const run = new UploadRun(begun, world);
  run.stop();
  await new Promise(resolve => setTimeout(resolve));
  expect(run.view.get().phase).toBe('cancelled');
  expect(completed).toEqual([]);
});
