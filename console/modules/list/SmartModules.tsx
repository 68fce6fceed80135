import { useParams } from '@tanstack/react-router';
import { useMay } from '#console/core/membership/useMay.ts';
import { useRefused } from '#console/core/membership/useRefused.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { NewModule } from '#console/modules/create/NewModule.tsx';
import { typeWords } from '#console/modules/moduleTypes.tsx';
import { Dialog, DialogBody } from '#console/ui/dialog/Dialog.tsx';
import { Rope } from '#console/ui/drawings.tsx';
import { ListScreen } from '#console/ui/list/ListScreen.tsx';
import { useAdd } from '#console/ui/list/useAdd.tsx';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { type ModuleTypeId, moduleTypeIds } from '#contract/moduleConfig.ts';
import { createSmartModule, listSmartModules } from '#contract/smartModule.ts';
import { ChooseType } from './ChooseType.tsx';
import css from './list.module.css';
import { moduleColumns } from './moduleColumns.tsx';

const refetchMs = 15_000;
const isType = (text: string | undefined): text is ModuleTypeId =>
  moduleTypeIds.includes(text as ModuleTypeId);

const createLabel = 'Create smart module';

/**
 * The smart modules of a project with their recent activity; or, depending on the address, the form of a new module.
 */
export function SmartModules() {
  const { projectId } = useParams({ from: '/shell/projects/$projectId' });
  const [url, change] = useUrlState();
  const may = useMay(createSmartModule);
  useRefused(createLabel, isType(url.new) && !may, () =>
    change({ new: undefined, example: undefined }, { replace: true }),
  );
  if (may && isType(url.new))
    return (
      <NewModule
        key={`${projectId} ${url.new}`}
        projectId={projectId}
        moduleType={url.new}
        example={url.example}
      />
    );
  return <ModuleList projectId={projectId} may={may} />;
}

function ModuleList({ projectId, may }: { projectId: string; may: boolean }) {
  const adding = useAdd(createLabel, may);
  return (
    <ListScreen
      title="Smart modules"
      noun="smart modules"
      endpoint={listSmartModules}
      input={(page, { moduleType = [] }) => {
        const [type] = moduleType;
        return { params: { projectId }, query: { ...page, ...(isType(type) && { moduleType: type }) } };
      }}
      searchHint="Id, description…"
      filters={[{ id: 'moduleType', label: 'Type', options: typeOptions }]}
      columns={moduleColumns}
      rowKey={({ id }) => id}
      rowLink={({ id: moduleId }) => ({
        to: '/projects/$projectId/smart_modules/$moduleId',
        params: { projectId, moduleId },
      })}
      create={adding.button('primary')}
      refetchInterval={refetchMs}
      empty={may ? <FirstModule projectId={projectId} /> : <NoModules />}
    >
      {adding.open && (
        <Dialog title={createLabel} shape="wide" onClose={adding.close}>
          <DialogBody>
            <div className={css.dialog}>
              <ChooseType projectId={projectId} />
            </div>
          </DialogBody>
        </Dialog>
      )}
    </ListScreen>
  );
}

const typeOptions = moduleTypeIds.map(id => ({ value: id, label: typeWords[id].name }));

function FirstModule({ projectId }: { projectId: string }) {
  return (
    <div className={css.choose}>
      <header>
        <h2>No smart modules yet</h2>
        <p className={css.says}>
          What happens when a device sends something: rules, schedules, webhooks and data, without a server of
          your own.
        </p>
      </header>
      <ChooseType projectId={projectId} />
    </div>
  );
}

function NoModules() {
  return (
    <EmptyState icon={<Rope />} title="No smart modules yet">
      Smart modules define what happens when a device sends something. Developers and owners of the project
      create them.
    </EmptyState>
  );
}
