import type { HostileProvider } from './hostileProvider.ts';

/** The request of a sign-in to its provider, and its time. */
export interface Asked {
  nonce: string;
  nowS: number;
}

/** The claims of a valid ID token. */
export const decentClaims = ({ issuer }: HostileProvider, { nonce, nowS }: Asked) => ({
  iss: issuer,
  aud: 'client',
  sub: 'u-1',
  nonce,
  iat: nowS,
  exp: nowS + 300,
});

/** An ID token with one change to its claims. */
const changed =
  (change: (asked: Asked) => object, header?: object) =>
  (hostile: HostileProvider, asked: Asked): string =>
    hostile.signed({ ...decentClaims(hostile, asked), ...change(asked) }, header);

type Lie = [what: string, token: (hostile: HostileProvider, asked: Asked) => string, fault: RegExp];

/** ID tokens that must be rejected, and the reason for each. */
export const lies: Lie[] = [
  ['an algorithm none', (hostile, asked) => hostile.unsigned(decentClaims(hostile, asked)), /alg/],
  [
    'HS256 with the public key',
    (hostile, asked) => hostile.signedWithPublicKey(decentClaims(hostile, asked)),
    /alg/,
  ],
  ['another key', (hostile, asked) => hostile.signedWithOtherKey(decentClaims(hostile, asked)), /signature/],
  [
    'another key, which it brings along',
    (hostile, asked) =>
      hostile.signedWithOtherKey(decentClaims(hostile, asked), { jwk: hostile.otherKey, x5c: ['MIIB'] }),
    /signature/,
  ],
  [
    'another key, which it has an address for',
    (hostile, asked) =>
      hostile.signedWithOtherKey(decentClaims(hostile, asked), {
        jku: `${hostile.issuer}/other-keys`,
        x5u: `${hostile.issuer}/other-keys`,
      }),
    /signature/,
  ],
  ['an extension that nobody knows', changed(() => ({}), { crit: ['exp'] }), /crit/],
  ['another algorithm than announced', changed(() => ({}), { alg: 'ES384' }), /alg/],
  ['a key id of no key', changed(() => ({}), { kid: 'x' }), /key that is not in/],
  ['no nonce', changed(() => ({ nonce: undefined })), /nonce/],
  ['the nonce of another sign-in', changed(() => ({ nonce: 'n' })), /nonce/],
  ['another issuer', changed(() => ({ iss: 'https://accounts.example' })), /iss/],
  ['another audience', changed(() => ({ aud: 'other' })), /aud/],
  ['many audiences', changed(() => ({ aud: ['client', 'other'] })), /aud/],
  ['many audiences and another party', changed(() => ({ aud: ['client', 'other'], azp: 'other' })), /azp/],
  ['another party', changed(() => ({ azp: 'other' })), /azp/],
  ['no subject', changed(() => ({ sub: undefined })), /sub/],
  ['an empty subject', changed(() => ({ sub: '' })), /sub/],
  ['a subject that is no text', changed(() => ({ sub: { $ne: 1 } })), /sub/],
  ['no expiry', changed(() => ({ exp: undefined })), /exp/],
  ['its time past', changed(({ nowS }) => ({ exp: nowS - 301 })), /has expired/],
  ['a making long ago', changed(({ nowS }) => ({ iat: nowS - 360 })), /min in the past/],
  ['a making to come', changed(({ nowS }) => ({ iat: nowS + 360 })), /min in the future/],
  [
    'a part missing',
    (hostile, asked) => hostile.signed(decentClaims(hostile, asked)).split('.').slice(0, 2).join('.'),
    /Invalid JWT/,
  ],
  ['nothing readable', () => 'a.b.c', /cannot be read|rules/],
];
