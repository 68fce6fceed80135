import type { useForm } from '#console/ui/form/useForm.ts';
import type { ModuleValues } from './moduleValues.ts';

/** The form of a module, new or not. */
export type ModuleForm = Pick<
  ReturnType<typeof useForm<ModuleValues>>,
  'values' | 'set' | 'field' | 'dirty' | 'saving' | 'error' | 'failure' | 'send' | 'onSubmit'
>;
