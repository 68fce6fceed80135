import { useCall } from '#console/core/api.ts';
import { isJsonObject, jsonFault, parsedJson, schemaMarks, textOfJson } from '#console/ui/code/jsonText.ts';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { EditForm } from '#console/ui/edit/EditForm.tsx';
import { useEdit } from '#console/ui/edit/useEdit.ts';
import { JsonField } from '#console/ui/form/JsonField.tsx';
import { type DeviceState, writeDesired } from '#contract/deviceState.ts';

interface DesiredFormProps {
  deviceId: string;
  state: DeviceState;
  done: () => void;
}

export function DesiredForm({ deviceId, state, done }: DesiredFormProps) {
  const params = { deviceId };
  const write = useCall(writeDesired);
  const edit = useEdit({
    row: state,
    words: { desired: 'Desired state' },
    toForm: ({ desired }: DeviceState) => ({ desired: textOfJson(desired) }),
    check: ({ desired }) => {
      if (jsonFault(desired)) return { desired: 'INVALID_JSON' };
      return isJsonObject(desired) ? {} : { desired: 'INVALID_OBJECT' };
    },
    send: (changed, ifMatch, values) => {
      const body = { desired: parsedJson(changed.desired ?? values.desired) };
      return write.mutateAsync({ params, body, ifMatch });
    },
    onDone(saved) {
      if (saved) toast('Desired state saved');
      done();
    },
  });
  return (
    <EditForm edit={edit} onCancel={done} verb="Save desired" wide>
      <JsonField
        label="Desired state"
        autoFocus
        lines={[6, 24]}
        marks={schemaMarks(edit.failure, edit.values.desired)}
        hint="The state the device should have. It is delivered immediately, or when the device next connects."
        onSave={() => void edit.send()}
        {...edit.field('desired')}
      />
    </EditForm>
  );
}
