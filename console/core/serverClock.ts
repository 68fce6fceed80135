import { shared } from './clientStorage.ts';
import { createStore } from './store.ts';

const key = 'mooring.clockOffset';
/** The `Date` header has whole seconds. */
const headerMs = 1000;

/** By how many milliseconds the clock of the server is ahead of the clock of this computer. */
const offset = createStore(kept());

/**
 * The time on the clock of the server, in milliseconds since 1970. Times that the server stores or compares must be
 * measured against it: the clock of a computer may be wrong by minutes, or by a month after its battery was empty.
 */
export const serverNow = (): number => Date.now() + offset.get();

export const serverDate = (): Date => new Date(serverNow());

/** Calls the listener whenever the clock of the server turns out to differ from what was assumed. */
export const onClockSet = offset.subscribe;

/**
 * Compares the clocks by the `Date` header of an answer. The header was written between the request and the answer, so
 * an offset is possible within bounds: it stays as it is while it is within them, which a correct clock always is.
 */
export function compareClocks(
  headers: Headers,
  { sentAt, answeredAt }: { sentAt: number; answeredAt: number },
): void {
  // What answers in place of the server, such as the sign-in page of a Wi-Fi network, has a clock of its own.
  if (!headers.has('x-request-id')) return;
  const serverTime = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(serverTime)) return;
  const [least, most] = [serverTime - answeredAt, serverTime + headerMs - sentAt];
  // Zero first, so that a clock that has been corrected is trusted again.
  const possible = [0, offset.get()].find(value => value >= least && value <= most);
  const next = possible ?? Math.round((least + most) / 2);
  if (next === offset.get()) return;
  shared.write(key, String(next));
  offset.set(next);
}

/** The session in client storage is judged before the first answer. */
function kept(): number {
  const value = Number(shared.read(key));
  return Number.isFinite(value) ? value : 0;
}
