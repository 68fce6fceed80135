import type { useForm } from '#console/ui/form/useForm.ts';
import type { ModuleValues } from './moduleValues.ts';

type Own = Omit<ModuleValues, 'configData'>;

/** What the panels need of a module's form, new or existing; the configuration has a form of its own. */
export type ModuleForm = Pick<ReturnType<typeof useForm<Own>>, 'set' | 'field'> & { values: ModuleValues };
