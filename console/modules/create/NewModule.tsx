import { useRead } from '#console/core/api.ts';
import { session } from '#console/core/session.ts';
import { useStore } from '#console/core/store.ts';
import { useRuleNames } from '#console/modules/controls/useRuleNames.ts';
import { examples } from '#console/modules/examples.ts';
import { typeWords } from '#console/modules/moduleTypes.tsx';
import { NotFound } from '#console/ui/state/NotFound.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import type { ModuleTypeId } from '#contract/moduleConfig.ts';
import { listSmartModules, listSmartModuleTypes, readModuleTypeDoc } from '#contract/smartModule.ts';
import { NewModuleForm } from './NewModuleForm.tsx';
import { NewRule } from './NewRule.tsx';
import { propertyLike } from './propertyLike.ts';

const alikeMax = 100;

interface NewModuleProps {
  projectId: string;
  moduleType: ModuleTypeId;
  /** The id of the example that the form starts from. */
  example: string | undefined;
}

/** The form of a new module, shown once the configuration schema of its type is known. */
export function NewModule({ projectId, moduleType, example }: NewModuleProps) {
  const types = useRead(listSmartModuleTypes, { params: { projectId } });
  const doc = useRead(readModuleTypeDoc, { params: { projectId, moduleType } });
  const { numbers, isKnown } = useRuleNames(projectId, []);
  const developer = useStore(session)?.developer;
  const chosen = examples.find(one => one.id === example && one.moduleType === moduleType);
  const alike = useRead(
    listSmartModules,
    { params: { projectId }, query: { search: chosen?.moduleId ?? '', limit: alikeMax } },
    { enabled: chosen !== undefined },
  );
  if (doc.error?.reason === 'MODULE_TYPE_NOT_FOUND')
    return <NotFound what={`The type ${typeWords[moduleType].name} does not exist.`} />;
  const type = types.data?.find(({ id }) => id === moduleType);
  if (!type || !doc.data) return <ReadState read={doc.data ? types : doc} what="The form" />;
  if (chosen && !isKnown) return <ReadState read={{ ...doc, data: undefined }} what="The example" />;
  if (chosen && !alike.data && !alike.error) return <ReadState read={alike} what="The example" />;
  const given = chosen && {
    ...chosen.values({ email: developer?.email ?? '', property: propertyLike(numbers) }),
    id: freeId(chosen.moduleId, alike.data?.items ?? []),
  };
  const Form = type.id === 'rule' ? NewRule : NewModuleForm;
  return <Form projectId={projectId} type={type} doc={doc.data} example={chosen} given={given} />;
}

/** Ids can be taken: the sample project has modules of its own, and an example can be used twice. */
function freeId(id: string, taken: readonly { id: string }[]): string {
  const isTaken = (one: string) => taken.some(module => module.id.toLowerCase() === one.toLowerCase());
  for (let n = 1; ; n++) {
    const one = n === 1 ? id : `${id}-${n}`;
    if (!isTaken(one)) return one;
  }
}
