import { expect, expectTypeOf, it } from 'vitest';
import type * as contract from '#contract/appApi/device.ts';
import type * as homes from '#contract/appApi/home.ts';
import type * as session from '#contract/appApi/session.ts';
import * as code from '../app.ts';
import type * as said from './app.d.ts';

it('the declared types of the app package match the code', () => {
  expect(Object.keys(code).sort()).toEqual(
    ['App', 'CallFailed', 'CommandFailed', 'LiveDevice', 'LiveHome', 'SignInFailed', 'createApp'].sort(),
  );
  expectTypeOf<keyof said.App>().toEqualTypeOf<keyof code.App>();
  expectTypeOf<keyof said.LiveHome>().toEqualTypeOf<keyof code.LiveHome>();
  expectTypeOf<keyof said.LiveDevice>().toEqualTypeOf<
    Exclude<keyof code.LiveDevice, 'describe' | 'missUpdate' | 'readMissedUpdate' | 'reading' | 'take'>
  >();
  expectTypeOf<session.Me>().toExtend<said.Me>();
  expectTypeOf<contract.MyDevice>().toExtend<said.MyDevice>();
  expectTypeOf<contract.MyUpdate>().toExtend<said.MyUpdate>();
  expectTypeOf<homes.MyHome>().toExtend<said.MyHome>();
  expectTypeOf<homes.MyInvitation>().toExtend<said.MyInvitation>();
  expectTypeOf<Parameters<said.LiveHome['invite']>[0]>().toExtend<Parameters<code.LiveHome['invite']>[0]>();
});
