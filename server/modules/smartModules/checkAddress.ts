import type { ConfigFault } from '#contract/moduleConfig.ts';
import { Problem } from '#contract/problem.ts';
import { OutsideFault } from '#server/infra/outside/faults.ts';
import type { Platform } from '#server/infra/platform.ts';

/** Why a URL in a configuration must not be called, if so. */
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
