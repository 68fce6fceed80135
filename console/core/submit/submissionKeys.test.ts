import { expect, it } from 'vitest';
import { CallFailed } from '#contract/client.ts';
import { createDevice, deleteDevice, editDevice } from '#contract/device.ts';
import type { Reason } from '#contract/problem.ts';
import { createSubmissionKeys } from './submissionKeys.ts';

const values = (tag: string) => ({ body: { projectId: 'prj_1', deviceClass: 'lamp', tag } });
const failed = (status: number, reason: Reason | 'CONNECTION_ERROR') =>
  new CallFailed({ reason, message: '' }, { status });

/** Submits a device; returns the key that was sent. */
async function keyOf(submit: ReturnType<typeof createSubmissionKeys>, tag: string, failure?: CallFailed) {
  let sent: string | undefined;
  const sending = submit(createDevice, values(tag), async input => {
    sent = input.idempotencyKey;
    if (failure) throw failure;
  });
  await sending.catch(() => undefined);
  return sent;
}

it('a submission without an answer is repeated with its key', async () => {
  const submit = createSubmissionKeys();
  const first = await keyOf(submit, 'a', failed(0, 'CONNECTION_ERROR'));
  expect(first).toMatch(/^\d+(-\d+){3}$/);
  expect(await keyOf(submit, 'a', failed(502, 'DISABLED'))).toBe(first);
  expect(await keyOf(submit, 'a')).toBe(first);
});

it('other values, and the next submission after an answer, get a new key', async () => {
  const submit = createSubmissionKeys();
  const first = await keyOf(submit, 'a', failed(0, 'CONNECTION_ERROR'));
  const other = await keyOf(submit, 'b', failed(409, 'ID_TAKEN'));
  expect(other).not.toBe(first);
  expect(await keyOf(submit, 'b')).not.toBe(other);
  const answered = await keyOf(submit, 'a');
  expect(answered).toBe(first);
  expect(await keyOf(submit, 'a')).not.toBe(first);
});

it('two forms never share a key', async () => {
  expect(await keyOf(createSubmissionKeys(), 'a')).not.toBe(await keyOf(createSubmissionKeys(), 'a'));
});

it('an edit is sent without a key, because its revision makes it unique', async () => {
  const input = { params: { deviceId: 'dev_1' }, body: { name: 'Lamp' } };
  expect(await createSubmissionKeys()(editDevice, input, async sent => sent.idempotencyKey)).toBeUndefined();
});

it('a deletion without an answer is repeated, and then nothing left to delete is a success', async () => {
  const submit = createSubmissionKeys();
  const input = { params: { deviceId: 'dev_1' } };
  const answers = [
    failed(0, 'CONNECTION_ERROR'),
    failed(0, 'CONNECTION_ERROR'),
    failed(404, 'DEVICE_NOT_FOUND'),
  ];
  const send = () => Promise.reject(answers.shift());
  await expect(submit(deleteDevice, input, send)).rejects.toMatchObject({ reason: 'CONNECTION_ERROR' });
  await expect(submit(deleteDevice, input, send)).resolves.toBeUndefined();
  expect(answers).toEqual([]);
});

it('a deletion that finds nothing the first time says so', async () => {
  const gone = () => Promise.reject(failed(404, 'DEVICE_NOT_FOUND'));
  const deleting = createSubmissionKeys()(deleteDevice, { params: { deviceId: 'dev_1' } }, gone);
  await expect(deleting).rejects.toMatchObject({ reason: 'DEVICE_NOT_FOUND' });
});
