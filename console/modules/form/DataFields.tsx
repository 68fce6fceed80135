import { useRead } from '#console/core/api.ts';
import { TextField } from '#console/ui/form/TextField.tsx';
import { Chips } from '#console/ui/list/Chips.tsx';
import { listSmartModules, type SmartModuleType } from '#contract/smartModule.ts';
import { idMax } from '#rules/chosenId.ts';
import css from './form.module.css';
import type { ModuleForm } from './ModuleForm.ts';

interface DataFieldsProps {
  projectId: string;
  type: SmartModuleType;
  form: ModuleForm;
}

/** The data that a module provides, and the data that it uses from other modules. */
export function DataFields({ projectId, type, form }: DataFieldsProps) {
  const takes = type.dataSourceModuleTypes.length > 0;
  const { dataSourceModules } = form.values;
  const sources = useSources({ projectId, type, chosen: dataSourceModules });
  return (
    <div className={css.fields}>
      {type.isDataSource && (
        <TextField
          label="Data label"
          mono
          spellCheck={false}
          autoComplete="off"
          placeholder="tariffs"
          maxLength={idMax}
          hint={
            <>
              Rules access its data as <code>data.{form.values.bulkDataLabel || 'tariffs'}</code>
            </>
          }
          {...form.field('bulkDataLabel')}
        />
      )}
      {takes && (
        <div className={css.group}>
          <span className={css.label}>Data sources</span>
          {!sources && <div className={css.place} />}
          {sources && sources.length > 0 && (
            <Chips
              label="Data sources"
              chips={sources.map(({ id, bulkDataLabel }) => ({
                value: id,
                label: bulkDataLabel && bulkDataLabel !== id ? `${id} · data.${bulkDataLabel}` : id,
              }))}
              chosen={dataSourceModules}
              onChange={chosen => form.set('dataSourceModules', chosen)}
            />
          )}
          {form.field('dataSourceModules').error && (
            <p className={css.fault}>
              One of them provides no data for this module.{' '}
              <code>{form.field('dataSourceModules').error}</code>
            </p>
          )}
          <p className={css.hint}>
            {sources?.length === 0
              ? 'Modules of type Fetch or Table with a data label can be used here. There are none yet.'
              : 'Rules access the data of these modules by their labels.'}
          </p>
        </div>
      )}
    </div>
  );
}

/** The modules that can be chosen, and those that are chosen; undefined until they are known. */
function useSources({
  projectId,
  type,
  chosen,
}: Pick<DataFieldsProps, 'projectId' | 'type'> & { chosen: readonly string[] }) {
  const types = type.dataSourceModuleTypes;
  const { data } = useRead(
    listSmartModules,
    { params: { projectId }, query: { limit: 100 } },
    { enabled: types.length > 0 },
  );
  return data?.items.filter(
    ({ id, moduleType, bulkDataLabel }) =>
      chosen.includes(id) || (types.includes(moduleType) && bulkDataLabel !== ''),
  );
}
