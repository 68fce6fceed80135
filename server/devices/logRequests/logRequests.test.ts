import { describe, expect, it } from 'vitest';
import type { QueryOf } from '#contract/endpoint.ts';
import type { LiveMessage } from '#contract/live.ts';
import {
  cancelLogRequest,
  createLogRequest,
  type LogRequest,
  listLogRequests,
  readLogRequest,
} from '#contract/logRequest.ts';
import { dayMs, hourMs } from '#rules/time/durations.ts';
import { removeFilesJob } from '#server/api/files/receiveFile.ts';
import { deviceSubject } from '#server/infra/bus/deviceNotices.ts';
import { keepHouse } from '#server/infra/jobs/housekeeping.ts';
import { atOnce } from '#test/atOnce.ts';
import { attempt } from '#test/attempt.ts';
import { aDevice } from '#test/devices.ts';
import { failing } from '#test/failing.ts';
import { aLoggingDevice, anHour, logLines, put } from '#test/logRequests.ts';
import { auditOf } from '#test/rows.ts';
import { theWorld } from '#test/world.ts';
import { pendingLogRequestFrame, recordLogRequestStatus } from './askDevice.ts';
import { findLogFile } from './logFile.ts';
import { failLogRequestsJob, logRequestChores } from './overdue.ts';

const world = theWorld();

const aTarget = () => aLoggingDevice(world);
type Target = Awaited<ReturnType<typeof aTarget>>;

const list = ({ device, owner }: Target, query: QueryOf<typeof listLogRequests> = {}) =>
  owner.client.call(listLogRequests, { params: { deviceId: device.id }, query });
const cancel = ({ device, owner }: Target, requestId: string) =>
  owner.client.call(cancelLogRequest, { params: { deviceId: device.id, requestId } });
const keyOf = ({ project, device }: Target, { id }: LogRequest) => ({
  projectId: project.id,
  deviceId: device.id,
  requestId: id,
});

describe('a log request', () => {
  it('is pending until it is answered, and is sent to the device', async () => {
    const { device, project, ask } = await aTarget();
    const heard: unknown[] = [];
    const end = world.platform.bus.subscribe(deviceSubject(device.id), notice => heard.push(notice));
    const request = await ask({ prefixes: ['wifi', ' wifi ', 'motor.*'] });
    end();
    expect(request).toMatchObject({
      status: 'requested',
      deviceId: device.id,
      prefixes: ['wifi', 'motor.*'],
    });
    expect(request.url).toBeUndefined();
    expect(heard).toEqual([{ kind: 'logRequest' }]);
    const frame = await pendingLogRequestFrame(world.platform.db, world.platform, project.id, device.id);
    expect(frame).toMatchObject({ id: request.id, start: anHour.start, end: anHour.end });
    expect(frame?.uploadUrl.startsWith(`${world.url}/files/`)).toBe(true);
    expect(new Date(frame?.expiresAt ?? 0).getTime() - new Date(request.ts).getTime()).toBe(7 * dayMs);
    const [entry] = (await auditOf(world, project.id)).filter(({ action }) => action === 'createLogRequest');
    expect(entry?.text).toBe(`Log of device ${device.id} requested`);
  });

  it('is refused if the project does not retrieve logs', async () => {
    const owner = await world.aDeveloper();
    const project = await world.aProject(owner);
    const device = await aDevice(owner, project.id);
    const call = owner.client.call(createLogRequest, { params: { deviceId: device.id }, body: anHour });
    await failing(call, 'LOG_RETRIEVAL_OFF');
  });

  it('needs a start that is before its end', async () => {
    const { ask } = await aTarget();
    const refused = await failing(ask({ end: anHour.start }), 'START_NOT_BEFORE_END');
    expect(refused.message).toBe('Start date must be before end date.');
    await failing(ask({ start: anHour.end, end: anHour.start }), 'START_NOT_BEFORE_END');
    await ask({ start: '2026-11-20T09:00:00+02:00', end: '2026-11-20T08:00:00Z' });
  });

  it.each([
    { prefixes: Array.from({ length: 51 }, (_, i) => `p${i}`) },
    { prefixes: ['x'.repeat(101)] },
    { start: '2026-02-30T00:00:00Z' },
    { start: 'yesterday' },
    { start: '1969-12-31T23:59:59Z' },
    { end: '9999-12-31T23:59:59-23:59' },
  ])('is refused with %j', async more => {
    const { ask } = await aTarget();
    await failing(ask(more), 'INVALID_FIELDS');
  });

  it('for a range that begins after the request would be over is refused', async () => {
    const { ask } = await aTarget();
    const inDays = (days: number) => new Date(world.now().getTime() + days * dayMs).toISOString();
    await failing(ask({ start: '9990-01-01T00:00:00Z', end: '9999-01-01T00:00:00Z' }), 'INVALID_RANGE');
    await failing(ask({ start: inDays(8), end: inDays(9) }), 'INVALID_RANGE');
    await ask({ start: inDays(-1), end: inDays(9) });
  });

  it('for a range that ends more than a year from now is refused, above all in the year 9999', async () => {
    const { ask } = await aTarget();
    const from = world.now().getTime();
    for (const end of ['9999-12-31T23:59:59.999Z', new Date(from + 367 * dayMs).toISOString()]) {
      const { fields } = await failing(ask({ end }), 'INVALID_RANGE');
      expect(fields).toEqual({ end: 'INVALID_RANGE' });
    }
    await ask({ end: new Date(from + 365 * dayMs).toISOString() });
  });

  it('trims its prefixes and drops empty ones', async () => {
    const [one, other] = [await aTarget(), await aTarget()];
    expect((await one.ask({ prefixes: [' wifi ', '', '  ', '[.*]'] })).prefixes).toEqual(['wifi', '[.*]']);
    expect((await other.ask({ prefixes: ['', ' '] })).prefixes).toEqual([]);
  });

  it('reports prefixes with one that is too long as an invalid field', async () => {
    const { ask } = await aTarget();
    const refused = await failing(ask({ prefixes: ['a', 'x'.repeat(101)] }), 'INVALID_FIELDS');
    expect(refused.fields).toEqual({ prefixes: 'TOO_LONG' });
  });

  it('is the only pending one of its device, also with concurrent requests', async () => {
    const target = await aTarget();
    const { answers, reasons } = await atOnce(10, () => target.ask());
    expect(answers).toHaveLength(1);
    expect(new Set(reasons)).toEqual(new Set(['LOG_REQUEST_PENDING']));
    expect((await list(target)).total).toBe(1);
    const other = await aTarget();
    await other.ask();
  });

  it('that is cancelled makes room for another', async () => {
    const target = await aTarget();
    const first = await target.ask();
    await cancel(target, first.id);
    expect(await target.read(first.id)).toMatchObject({ status: 'cancelled' });
    await failing(cancel(target, first.id), 'LOG_REQUEST_OVER');
    await target.ask();
  });

  it('of another device is not found, and neither is an unknown one', async () => {
    const [one, other] = [await aTarget(), await aTarget()];
    const { id } = await one.ask();
    await failing(other.read(id), 'LOG_REQUEST_NOT_FOUND');
    await failing(cancel(other, id), 'LOG_REQUEST_NOT_FOUND');
    await failing(one.read('lrq_none'), 'LOG_REQUEST_NOT_FOUND');
    expect(await one.read(id)).toMatchObject({ status: 'requested' });
  });

  it('of someone else’s device is not found', async () => {
    const { device, ask } = await aTarget();
    const request = await ask();
    const { client } = await world.aDeveloper();
    const params = { deviceId: device.id, requestId: request.id };
    await failing(client.call(readLogRequest, { params }), 'DEVICE_NOT_FOUND');
    await failing(client.call(cancelLogRequest, { params }), 'DEVICE_NOT_FOUND');
    await failing(client.call(listLogRequests, { params }), 'DEVICE_NOT_FOUND');
    await failing(client.call(createLogRequest, { params, body: anHour }), 'DEVICE_NOT_FOUND');
  });
});

describe('the list of log requests', () => {
  it('is filtered by status, sorted and paged', async () => {
    const target = await aTarget();
    const made: LogRequest[] = [];
    for (let i = 0; i < 4; i++) {
      const request = await target.ask({ prefixes: [`part${i}`] });
      made.push(request);
      if (i < 3) await cancel(target, request.id);
      world.pass(1000);
    }
    const ids = made.map(({ id }) => id);
    expect((await list(target)).items.map(({ id }) => id)).toEqual(ids.toReversed());
    expect((await list(target, { sortBy: 'ts:asc' })).items.map(({ id }) => id)).toEqual(ids);
    expect(await list(target, { statuses: 'cancelled', limit: 2 })).toMatchObject({ total: 3 });
    expect((await list(target, { statuses: ['requested', 'uploading'] })).items).toMatchObject([
      { id: ids[3] },
    ]);
    expect((await list(target, { sortBy: 'status:desc' })).items[0]).toMatchObject({ status: 'requested' });
    expect((await list(target, { search: 'PART2' })).items).toMatchObject([{ id: ids[2] }]);
    expect((await list(target, { skip: 3, limit: 10 })).items).toMatchObject([{ id: ids[0] }]);
    await failing(list(target, { skip: 4 }), 'INVALID_RANGE');
    await failing(list(target, { statuses: 'lost' as 'requested' }), 'INVALID_FIELDS');
  });
});

describe('a status that a device reports for a request', () => {
  it('applies while the request is pending', async () => {
    const target = await aTarget();
    const request = await target.ask();
    const heard: LiveMessage[] = [];
    const end = world.platform.bus.subscribe(`project ${target.project.id}`, message =>
      heard.push(message as LiveMessage),
    );
    const key = keyOf(target, request);
    expect(await recordLogRequestStatus(world.platform, key, { status: 'uploading' })).toBe(true);
    expect(await target.read(request.id)).toMatchObject({ status: 'uploading' });
    await failing(target.ask(), 'LOG_REQUEST_PENDING');
    const failure = { status: 'failure', error: 'No flash' } as const;
    expect(await recordLogRequestStatus(world.platform, key, failure)).toBe(true);
    end();
    expect(await target.read(request.id)).toMatchObject({ status: 'failure', error: 'No flash' });
    expect(heard.map(message => message.kind === 'device' && message.what)).toEqual([
      'logRequest',
      'logRequest',
      'entry',
    ]);
  });

  it.each(['uploading', 'failure', 'nologs'] as const)(
    '%s does not reopen a request that is over',
    async status => {
      const target = await aTarget();
      const request = await target.ask();
      await cancel(target, request.id);
      expect(await recordLogRequestStatus(world.platform, keyOf(target, request), { status })).toBe(false);
      expect(await target.read(request.id)).toMatchObject({ status: 'cancelled' });
    },
  );

  it('does not apply to the request of another device', async () => {
    const [one, other] = [await aTarget(), await aTarget()];
    const request = await one.ask();
    const key = { ...keyOf(one, request), deviceId: other.device.id };
    expect(await recordLogRequestStatus(world.platform, key, { status: 'nologs' })).toBe(false);
    expect(await one.read(request.id)).toMatchObject({ status: 'requested' });
  });
});

describe('a log request that nobody answers', () => {
  it('fails after seven days', async () => {
    const target = await aTarget();
    const request = await target.ask();
    const job = failLogRequestsJob(world.platform);
    world.pass(7 * dayMs - hourMs);
    await job({}, attempt);
    expect(await target.kept(request.id)).toMatchObject({ status: 'requested' });
    world.pass(hourMs);
    await job({}, attempt);
    expect(await target.kept(request.id)).toMatchObject({
      status: 'failure',
      error: 'The device did not answer in time.',
    });
  });

  it('fails if its upload is not finished within an hour, although the device keeps reporting it', async () => {
    const target = await aTarget();
    const request = await target.ask();
    const job = failLogRequestsJob(world.platform);
    const say = () => recordLogRequestStatus(world.platform, keyOf(target, request), { status: 'uploading' });
    await say();
    world.pass(hourMs - 60_000);
    expect(await say()).toBe(false);
    await job({}, attempt);
    expect(await target.kept(request.id)).toMatchObject({ status: 'uploading' });
    world.pass(120_000);
    await job({}, attempt);
    expect(await target.kept(request.id)).toMatchObject({
      status: 'failure',
      error: 'The upload was not finished in time.',
    });
  });

  it('is not sent any more once its time is over', async () => {
    const target = await aTarget();
    await target.ask();
    world.pass(7 * dayMs);
    await expect(target.frame()).rejects.toThrow('Nothing is asked');
  });
});

it('a request and its file are kept for 30 days', async () => {
  const target = await aTarget();
  const request = await target.ask();
  expect((await put((await target.frame()).uploadUrl, logLines(3))).status).toBe(204);
  const { place } = await findLogFile(world.platform.db, keyOf(target, request));
  expect(await world.platform.storage.size(place)).toBeGreaterThan(0);
  const keep = () => keepHouse({ ...world.platform, chores: logRequestChores })({}, attempt);
  world.pass(29 * dayMs);
  await keep();
  expect(await target.kept(request.id)).toMatchObject({ status: 'success' });
  world.pass(2 * dayMs);
  await keep();
  await expect(target.kept(request.id)).rejects.toThrow('no such request');
  await removeFilesJob(world.platform)({}, attempt);
  expect(await world.platform.storage.size(place)).toBeUndefined();
});
