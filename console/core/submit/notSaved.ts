import { banner } from '#console/core/banner.ts';
import type { CallFailed } from '#contract/client.ts';

/**
 * Someone who leaves a screen while it saves does not see there that the save was refused, so the next screen says it.
 * A banner, because a toast would disappear before it is read.
 */
export function showNotSaved({ message, reason }: CallFailed): void {
  banner.set({ text: `Your last change was not saved. ${message}`, reason });
}
