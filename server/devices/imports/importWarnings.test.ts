import { describe, expect, it } from 'vitest';
import { createDevice, editDevice } from '#contract/device.ts';
import { failing } from '#test/failing.ts';
import { appliedImport, aTarget, checkedImport, faultsOf } from '#test/imports.ts';
import { aProjectWorld } from '#test/projectWorld.ts';

const at = aProjectWorld();

const told = async (importId: string) =>
  (await faultsOf(at.owner, at.projectId, importId)).map(
    ({ line, field, text, warning }) => `${line} ${field}${warning ? '' : '!'}: ${text}`,
  );

describe('the check of an import', () => {
  it('names duplicate tags and devices without a tag, and imports them anyway', async () => {
    const target = await aTarget(at.owner, at.projectId);
    await at.device({ deviceClass: target.deviceClass, tag: 'hall' });
    const file = 'tag,name\nhall,\nroof,\nroof,Roof\n"",Cellar\n,""\n';
    const checked = await checkedImport(at.owner, { ...target, format: 'csv' }, file);
    expect(checked).toMatchObject({ good: 5, bad: 0, warnings: 3 });
    expect(await told(checked.id)).toEqual([
      '2 tag: Another device already has this value.',
      '4 tag: Device 2 on line 3 has the same value.',
      '6 undefined: This device is hard to identify: it has no tag and no name.',
    ]);
    await appliedImport(at.owner, { ...target, format: 'csv' }, file);
  });

  it('refuses a blank tag', async () => {
    const target = await aTarget(at.owner, at.projectId);
    const checked = await checkedImport(at.owner, target, '[{"tag":"  "}]');
    expect(checked).toMatchObject({ good: 0, bad: 1 });
    expect(await told(checked.id)).toEqual([
      '1 tag!: A tag must be one line of at most 100 characters, and cannot consist of blanks only.',
    ]);
  });

  it('reports an unknown column only once', async () => {
    const target = await aTarget(at.owner, at.projectId);
    const file = 'tag,colour\na,red\nb,blue\nc,\n';
    const checked = await checkedImport(at.owner, { ...target, format: 'csv' }, file);
    expect(checked).toMatchObject({ good: 1, bad: 2 });
    const lines = await told(checked.id);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^2 colour!: This field does not exist, in this device or any other\./);
  });
});

it('a device is neither created with a blank tag nor given one', async () => {
  const device = await at.device();
  const body = { projectId: at.projectId, deviceClass: device.deviceClass, tag: ' \t ' };
  const refused = await failing(at.owner.client.call(createDevice, { body }), 'INVALID_FIELDS');
  expect(refused.fields).toEqual({ tag: 'INVALID' });
  const params = { deviceId: device.id };
  await failing(at.owner.client.call(editDevice, { params, body: { tag: '  ' } }), 'INVALID_FIELDS');
  expect((await at.owner.client.call(editDevice, { params, body: { tag: '' } })).tag).toBe('');
});
