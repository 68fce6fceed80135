import type { Received } from './webhookReceiver.ts';

export const waitingModules = ['webhook', 'rule'] as const;

interface Reached {
  module: string;
  reached: number;
  held: number;
  lost: number;
  /** Events that first arrived after a later one of the same device. */
  outOfOrder: number;
  doubled: number;
  /** Duplicates with a different id. */
  otherIds: number;
}

/** The fate of acknowledged (`marks`) and stored events. */
export function compare(
  marks: ReadonlySet<string>,
  stored: ReadonlySet<string>,
  heldByRule: ReadonlySet<string>,
  received: readonly Received[],
) {
  const each = waitingModules.map((module): Reached => {
    const held = module === 'rule' ? heldByRule : new Set<string>();
    const ids = new Map<string, string>();
    const last = new Map<string, number>();
    const counts = { outOfOrder: 0, doubled: 0, otherIds: 0 };
    for (const { key, id, deviceId, number } of received.filter(one => one.module === module)) {
      const first = ids.get(key);
      if (first !== undefined) {
        counts.doubled += 1;
        if (first !== id) counts.otherIds += 1;
        continue;
      }
      ids.set(key, id);
      if (number < (last.get(deviceId) ?? 0)) counts.outOfOrder += 1;
      last.set(deviceId, Math.max(number, last.get(deviceId) ?? 0));
    }
    const lost = [...stored].filter(key => !ids.has(key) && !held.has(key)).length;
    return { module, reached: ids.size, held: held.size, lost, ...counts };
  });
  return { notStored: [...marks].filter(key => !stored.has(key)).length, stored: stored.size, modules: each };
}
