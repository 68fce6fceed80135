import { Problem } from '#contract/problem.ts';
import type { ConfigFault } from '#contract/smartModule.ts';
import { OutsideFault } from '#server/outside/faults.ts';
import type { Platform } from '#server/platform.ts';

/** What keeps an address in a configuration from being called. */
export async function checkAddress(
  { outside }: Pick<Platform, 'outside'>,
  address: string,
  pointer: string,
): Promise<ConfigFault[]> {
  try {
    await outside.checkOutside(address);
    return [];
  } catch (error) {
    if (!(error instanceof Problem || error instanceof OutsideFault)) throw error;
    return [{ pointer, message: error.message }];
  }
}
