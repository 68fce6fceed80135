const key = 'mooring.appsim.tab';
/** A reloaded page gets the lock as soon as the page before it is gone. */
const waitMs = 1_000;

/**
 * Each tab is a phone of its own. A browser that duplicates a tab copies its storage with the session, and two phones
 * with one session end it: the second refresh looks like a stolen token. So a copy starts without a session.
 */
export async function beOwnTab(): Promise<void> {
  const id = sessionStorage.getItem(key);
  if (id !== null && (await hold(id))) return;
  if (id !== null) sessionStorage.clear();
  const own = crypto.getRandomValues(new Uint32Array(4)).join();
  sessionStorage.setItem(key, own);
  await hold(own);
}

/** Holds the lock of this tab for as long as it is open. False: another tab has it. */
function hold(id: string): Promise<boolean> {
  // Without TLS there are no locks.
  const locks = navigator.locks as LockManager | undefined;
  if (!locks) return Promise.resolve(true);
  return new Promise(resolve => {
    const isHeld = () => {
      resolve(true);
      return new Promise<never>(() => {});
    };
    locks
      .request(`${key} ${id}`, { signal: AbortSignal.timeout(waitMs) }, isHeld)
      .catch(() => resolve(false));
  });
}
