import { randomBytes, timingSafeEqual } from 'node:crypto';
import { dayS } from '#rules/time/durations.ts';
import type { Call } from '#server/api/endpoints/route.ts';
import { cookieOptions } from '#server/api/sessions/session.ts';
import type { Platform } from '#server/infra/platform.ts';

const cookie = 'mooring_browser';
const lifeS = 400 * dayS;

/** Recognizes a browser that this developer has signed in with before, by a cookie that only this server can create. */
export function knownBrowser(call: Call, developerId: string): string | undefined {
  const [browser, proof] = (call.from.cookies[cookie] ?? '').split('.');
  if (!browser || !proof) return undefined;
  const right = proofOf(call.platform, browser, developerId);
  const given = Buffer.from(proof, 'base64url');
  return given.length === right.length && timingSafeEqual(given, right) ? browser : undefined;
}

export function rememberBrowser(call: Call, developerId: string): void {
  const browser = randomBytes(16).toString('base64url');
  const proof = proofOf(call.platform, browser, developerId).toString('base64url');
  call.setCookie(cookie, `${browser}.${proof}`, cookieOptions(call.platform, lifeS));
}

function proofOf({ sealing }: Platform, browser: string, developerId: string): Buffer {
  return sealing.mac(`browser ${browser} of ${developerId}`);
}
