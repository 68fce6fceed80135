import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { operatorOf } from '#test/operator.ts';
import { theWorld } from '#test/world.ts';

const world = theWorld();

const doctor = (settings: Record<string, string> = {}) => operatorOf(world, settings)('doctor');

describe('the doctor', () => {
  it('tells what an installation stands on', async () => {
    const { out } = await doctor();
    expect(out).toMatch(/^ok {4}Node +v24/m);
    expect(out).toMatch(/^ok {4}Disk +\d+\.\d GB free/m);
    expect(out).toMatch(/^ok {4}E-mail +SMTP_URL is not set; e-mails are shown at \/outbox/m);
    expect(out).toMatch(/^ok {4}Server +listens on 127\.0\.0\.1/m);
  });

  it('finds a database that would lose data in a crash, as that of a test does', async () => {
    const { code, out } = await doctor();
    expect(out).toMatch(/^FAIL {2}Database +PostgreSQL .*turn on fsync/m);
    expect(code).toBe(1);
  });

  it('finds a mail server that is dead, and one that is not', async () => {
    const { code, out } = await doctor({ SMTP_URL: 'smtp://127.0.0.1:1' });
    expect(out).toMatch(/^FAIL {2}Mail server +127\.0\.0\.1 does not answer; check SMTP_URL/m);
    expect(code).toBe(1);
    const server = createServer(socket => socket.end()).listen(0, '127.0.0.1');
    await new Promise(resolve => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const alive = await doctor({ SMTP_URL: `smtp://127.0.0.1:${port}` });
    server.close();
    expect(alive.out).toMatch(/^ok {4}Mail server +127\.0\.0\.1 answers/m);
  });

  it('goes on without a database and says what is wrong with it, without its password', async () => {
    const { code, out, err } = await doctor({ DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/none' });
    expect(out).toMatch(/^FAIL {2}Database +/m);
    expect(out).toMatch(/^ok {4}Node/m);
    expect(out + err).not.toContain('hunter2');
    expect(code).toBe(1);
  });
});
