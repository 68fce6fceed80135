import { expect, expectTypeOf, it } from 'vitest';
import * as code from '../device.ts';
import type * as said from './device.d.ts';

it('the declared types of the package match the code', () => {
  // The parameters and results of the code match the declared types.
  const kept: Pick<typeof said, 'connectDevice' | 'FirmwareUpdater' | 'UpdateFault' | 'sha256Of'> = code;
  expect(Object.keys(kept).length).toBeGreaterThan(0);
  expectTypeOf<keyof said.Device>().toEqualTypeOf<Exclude<keyof code.Device, 'onWire'>>();
  expectTypeOf<said.SendFault['reason']>().toEqualTypeOf<code.SendFault['reason']>();
  expectTypeOf<keyof said.FirmwareUpdater>().toEqualTypeOf<keyof code.FirmwareUpdater>();
  expectTypeOf<said.FirmwareParts>().toEqualTypeOf<code.FirmwareParts>();
  expectTypeOf<said.Json>().toExtend<code.Json>();
});
