import { expect, it } from 'vitest';
import { minuteMs } from '#rules/time/durations.ts';
import { failing } from '#test/failing.ts';
import { type Attack, hostileSignIns } from '#test/hostileSignIns.ts';
import { type BegunSignIn, finish } from '#test/methodSignIns.ts';

const { at, aMethod, given, comeBack, faultsOf } = hostileSignIns();

/** A sign-in that returns correctly, and whose code is then used like this. */
const brought = async (bring: (begun: BegunSignIn & { code: string }) => Promise<unknown>) => {
  const { begun, code } = await comeBack();
  await failing(bring({ ...begun, code: code ?? '' }), 'CODE_WRONG');
  return null;
};

/** Attacks by a browser that returns, and by an app that uses a code. */
const attacks: Attack[] = [
  [
    'another issuer beside the code',
    async () => (await comeBack({ query: { iss: given.other.issuer } })).code,
    /iss/,
  ],
  [
    'no issuer beside the code, though it says that it names itself',
    async () => {
      const discovery = { authorization_response_iss_parameter_supported: true };
      return (await comeBack({ meanwhile: () => Object.assign(given.hostile, { discovery }) })).code;
    },
    /iss/,
  ],
  ['no code', async () => (await comeBack({ query: { code: undefined } })).code, /without a code/],
  ['an error', async () => (await comeBack({ query: { error: 'server_error' } })).code, /server_error/],
  [
    'the state of another method, as in a mix-up',
    async () => (await comeBack({ to: await aMethod({ issuer: given.other.issuer }) })).code,
    /address of another method/,
  ],
  ['a state that came back before', async () => (await comeBack()).again(), /second time/],
  [
    'a state of long ago',
    async () => {
      const { code } = await comeBack({ meanwhile: () => at.world.pass(11 * minuteMs) });
      at.world.pass(-11 * minuteMs);
      return code;
    },
    /more than 10 minutes/,
  ],
  [
    'a code that was used',
    () =>
      brought(async one => {
        await finish(given.phone, given.methodId, one);
        return finish(given.phone, given.methodId, one);
      }),
    /used before/,
  ],
  [
    'a code with the verifier of another sign-in',
    () => brought(one => finish(given.phone, given.methodId, { ...one, codeVerifier: 'x'.repeat(43) })),
    /PKCE/,
  ],
  [
    'the code of another app',
    () => brought(one => finish(given.anotherApp, given.methodId, one)),
    /is for app/,
  ],
  [
    'the code of another method',
    () => brought(async one => finish(given.phone, await aMethod({ issuer: given.other.issuer }), one)),
    /is for method/,
  ],
  [
    'a code of long ago',
    () =>
      brought(async one => {
        at.world.pass(2 * minuteMs);
        try {
          return await finish(given.phone, given.methodId, one);
        } finally {
          at.world.pass(-2 * minuteMs);
        }
      }),
    /older than 60 seconds/,
  ],
  [
    'a code that was made up',
    () => brought(one => finish(given.phone, given.methodId, { ...one, code: 'x'.repeat(43) })),
    /does not belong to any sign-in/,
  ],
];

it.each(attacks)('a return with %s is refused, and the log has the reason', async (_what, attack, fault) => {
  const faults = await faultsOf(async () => {
    expect(await attack()).toBeNull();
  });
  expect(faults).toEqual([expect.stringMatching(fault)]);
});

it('repeated returns write a single log entry', async () => {
  const { again } = await comeBack();
  expect(await faultsOf(() => Promise.all(Array.from({ length: 5 }, again)))).toHaveLength(1);
});
