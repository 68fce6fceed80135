import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sql } from '#server/infra/db/sql.ts';
import { operatorOf } from '#test/operator.ts';
import { aReadyVersion, storedVersions } from '#test/versions.ts';
import { theWorld } from '#test/world.ts';

const world = theWorld();

const doctor = (settings: Record<string, string> = {}) => operatorOf(world, settings)('doctor');

describe('the doctor', () => {
  it('reports what an installation consists of', async () => {
    const { out } = await doctor();
    expect(out).toMatch(/^ok {4}Node +v24/m);
    expect(out).toMatch(/^ok {4}Disk +\d+\.\d GB free/m);
    expect(out).toMatch(/^ok {4}E-mail +SMTP_URL is not set; e-mails are shown at \/outbox/m);
    expect(out).toMatch(/^ok {4}Server +listens on 127\.0\.0\.1/m);
  });

  it('detects a database that would lose data in a crash, as the test database would', async () => {
    const { code, out } = await doctor();
    expect(out).toMatch(/^FAIL {2}Database +PostgreSQL .*turn on fsync/m);
    expect(code).toBe(1);
  });

  it('detects a mail server that does not answer, and one that does', async () => {
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

  it('detects that e-mails are lost without a mail server and an outbox', async () => {
    const { code, out } = await doctor({ PUBLIC_URL: 'https://iot.example' });
    expect(out).toMatch(/^FAIL {2}E-mail +SMTP_URL is not set; e-mails are not sent/m);
    expect(code).toBe(1);
  });

  it('detects missing and changed firmware files, and names them', async () => {
    const owner = await world.aDeveloper();
    const { id: projectId } = await world.aProject(owner);
    const [whole, missing, changed] = await Promise.all(
      ['whole', 'missing', 'changed'].map(content => aReadyVersion(world, owner, projectId, { content })),
    );
    const files = (await storedVersions(world)).length;
    const fine = /^ok {4}Firmware +(\d+) files, \d\.\d MB, all as uploaded/m.exec((await doctor()).out);
    expect(Number(fine?.[1])).toBe(files);
    const placeOf = async (id = '') => {
      const row = await world.platform.db.one<{ place: string }>(
        sql`select place from component_versions where id = ${id}`,
      );
      return row?.place ?? '';
    };
    await world.platform.storage.remove(await placeOf(missing?.id));
    const place = await placeOf(changed?.id);
    writeFileSync(join(world.platform.config.dataDir, 'files', place.slice(-2), place), 'chanGed');
    const { code, out } = await doctor();
    const said = /^FAIL {2}Firmware +(.*)$/m.exec(out)?.[1];
    expect(said).toContain(`(${missing?.id}) is missing`);
    expect(said).toContain(`(${changed?.id}) does not match its checksum`);
    expect(said).not.toContain(whole?.id);
    expect(code).toBe(1);
  });

  it('continues without a database and reports the error without the password', async () => {
    const { code, out, err } = await doctor({ DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/none' });
    expect(out).toMatch(/^FAIL {2}Database +/m);
    expect(out).toMatch(/^ok {4}Node/m);
    expect(out + err).not.toContain('hunter2');
    expect(code).toBe(1);
  });
});
