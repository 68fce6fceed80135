import type { useForm } from '#console/ui/form/useForm.ts';
import type { ModuleValues } from './moduleValues.ts';

type Own = Omit<ModuleValues, 'configData'>;

/** What the panels of a module's form need of it, new or not; its configuration has a form of its own. */
export type ModuleForm = Pick<ReturnType<typeof useForm<Own>>, 'set' | 'field'> & { values: ModuleValues };
