import { type RefObject, useState } from 'react';
import { useRead } from '#console/core/api.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { RevisionLine } from '#console/devices/deviceClasses/revisions/RevisionLine.tsx';
import { schemaFromReports } from '#console/devices/schema/schemaFromReports.ts';
import { classInput } from '#console/devices/useDeviceClass.ts';
import { Button } from '#console/ui/Button.tsx';
import { useFocusBack } from '#console/ui/focus/useFocusBack.ts';
import { EditIcon, PlusIcon } from '#console/ui/icons/icons.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { Segments } from '#console/ui/screen/Segments.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import type { DeviceClass } from '#contract/deviceClass.ts';
import { readReportedProperties } from '#contract/deviceState.ts';
import { ReportedPanel } from './ReportedPanel.tsx';
import { SchemaEdit } from './SchemaEdit.tsx';
import { SchemaView } from './SchemaView.tsx';
import { type SchemaKind, schemaCount, schemaKinds, schemaOf } from './schemaForm.ts';
import css from './schemaSection.module.css';

interface SchemaSectionProps {
  deviceClass: DeviceClass;
  locked: boolean;
}

/** The messages that devices of the class send and receive: a table, JSON beside it, and an editor in place of both. */
export function SchemaSection({ deviceClass, locked }: SchemaSectionProps) {
  const [{ schema: shown }, change] = useUrlState();
  const kind = schemaKinds.find(({ id }) => id === shown) ?? (schemaKinds[0] as SchemaKind);
  // A draft to start from; null: start from the current schema.
  const [draft, setDraft] = useState<unknown>();
  const [editedKind, setEditedKind] = useState(kind.id);
  // Only once the address has changed: before that, unsaved changes may keep it.
  if (editedKind !== kind.id) {
    setEditedKind(kind.id);
    setDraft(undefined);
  }
  const { reported, isPending } = useReported(deviceClass, kind);
  const schema = schemaOf(deviceClass, kind.field);
  const isEditing = draft !== undefined;
  const button = useFocusBack(isEditing);
  return (
    <>
      <div className={css.bar}>
        <Segments
          label="Schemas"
          options={schemaKinds.map(one => ({
            value: one.id,
            label: `${one.name} ${schemaCount(one, schemaOf(deviceClass, one.field))}`,
          }))}
          chosen={kind.id}
          onChange={value => {
            const shows = { schema: value === 'state' ? undefined : value, property: undefined };
            change(shows, { replace: true });
          }}
        />
        {!isEditing && (
          <Actions
            {...{ deviceClass, kind, button }}
            isNew={schema === undefined}
            onEdit={locked ? undefined : () => setDraft(null)}
          />
        )}
      </div>
      {isEditing && (
        <Panel title={kind.title}>
          <SchemaEdit key={kind.id} {...{ kind, deviceClass, draft }} done={() => setDraft(undefined)} />
        </Panel>
      )}
      {!isEditing && isPending && (
        <div className={css.waiting} data-loading>
          <Skeleton shape="rows" lines={5} />
        </div>
      )}
      {!isEditing && !isPending && schema !== undefined && (
        <SchemaView {...{ kind, schema, reported, locked }} onDraft={setDraft} />
      )}
      {!isEditing && !isPending && schema === undefined && (
        <ReportedPanel
          {...{ kind, reported }}
          onMake={locked || !reported ? undefined : () => setDraft(schemaFromReports(reported))}
        />
      )}
    </>
  );
}

interface ActionsProps {
  deviceClass: DeviceClass;
  kind: SchemaKind;
  isNew: boolean;
  button: RefObject<HTMLButtonElement | null>;
  /** Absent: the member may not edit. */
  onEdit: (() => void) | undefined;
}

function Actions({ deviceClass, kind, isNew, button, onEdit }: ActionsProps) {
  return (
    <div className={css.actions}>
      <RevisionLine deviceClass={deviceClass} />
      {onEdit && (
        <Button
          ref={button}
          variant={isNew ? 'plain' : 'primary'}
          icon={isNew ? <PlusIcon /> : <EditIcon />}
          onClick={onEdit}
        >
          {isNew ? 'Add' : 'Edit'} {kind.title.toLowerCase()}
        </Button>
      )}
    </div>
  );
}

/** How many devices report a property is known only for the state. */
function useReported({ projectId, id }: DeviceClass, { id: kind }: SchemaKind) {
  const isState = kind === 'state';
  const { data, isLoading } = useRead(readReportedProperties, classInput(projectId, id), {
    enabled: isState,
  });
  return { reported: isState ? data : undefined, isPending: isState && isLoading };
}
