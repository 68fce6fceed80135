import { typeWords } from '#console/smartModules/moduleTypes.tsx';
import type { SmartModuleType } from '#contract/smartModule.ts';

/** The tabs of a module, the first of which is its own address. */
export function moduleTabs(
  type: SmartModuleType,
): { label: string; path: '' | '/runs' | '/configuration' | '/why_not' }[] {
  return [{ label: type.id === 'rule' ? 'Rule' : 'Configuration', path: '' }];
}

export const runsLabel = ({ id }: SmartModuleType) => typeWords[id].runs;
