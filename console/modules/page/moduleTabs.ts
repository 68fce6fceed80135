import { typeWords } from '#console/modules/moduleTypes.tsx';
import type { SmartModuleType } from '#contract/smartModule.ts';

interface ModuleTab {
  label: string;
  /** Appended to the address of the module. */
  path: '' | '/runs' | '/configuration' | '/why_not';
}

const configuration: ModuleTab = { label: 'Configuration', path: '/configuration' };
const whyNot: ModuleTab = { label: 'Why not?', path: '/why_not' };

/** The tabs of a module. The most used one comes first and has the address of the module itself. */
export function moduleTabs({ id }: SmartModuleType): readonly ModuleTab[] {
  const runs = { label: typeWords[id].runs, path: '/runs' } as const;
  switch (id) {
    case 'rule':
      return [{ label: 'Rule', path: '' }, runs, whyNot];
    case 'fetch':
      return [{ label: 'Data', path: '' }, runs, configuration];
    case 'table':
      return [{ label: 'Data', path: '' }, configuration];
    case 'schedule':
      return [{ ...runs, path: '' }, configuration];
    default:
      return [{ ...runs, path: '' }, configuration, whyNot];
  }
}
