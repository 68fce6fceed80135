import { useCall } from '#console/api.ts';
import { classInput } from '#console/devices/useDeviceClass.ts';
import { CopyText } from '#console/ui/CopyText.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { EditForm } from '#console/ui/edit/EditForm.tsx';
import { useEdit } from '#console/ui/edit/useEdit.ts';
import { TextArea } from '#console/ui/form/TextField.tsx';
import { Facts, Panel } from '#console/ui/screen/Panel.tsx';
import { TimeAgo } from '#console/ui/state/TimeAgo.tsx';
import { type DeviceClass, editDeviceClass } from '#contract/deviceClass.ts';

interface InfoPanelProps {
  deviceClass: DeviceClass;
  locked: boolean;
}

export function InfoPanel({ deviceClass, locked }: InfoPanelProps) {
  const { id, description, createdAt } = deviceClass;
  return (
    <Panel
      title="Info"
      editKey
      locked={locked}
      edit={done => <InfoForm deviceClass={deviceClass} done={done} />}
    >
      <Facts
        facts={[
          ['Id', <CopyText key="id" text={id} label="Copy id" />],
          [
            'Description',
            <span key="description" dir="auto">
              {description || '–'}
            </span>,
          ],
          ['Created', <TimeAgo key="created" time={createdAt} />],
        ]}
      />
    </Panel>
  );
}

function InfoForm({ deviceClass, done }: { deviceClass: DeviceClass; done: () => void }) {
  const save = useCall(editDeviceClass);
  const { projectId, id } = deviceClass;
  const edit = useEdit({
    row: deviceClass,
    words: { description: 'Description' },
    toForm: ({ description }: DeviceClass) => ({ description }),
    send: (body, ifMatch) => save.mutateAsync({ ...classInput(projectId, id), body, ifMatch }),
    onDone(saved) {
      if (saved) toast('Device class saved');
      done();
    },
  });
  return (
    <EditForm edit={edit} onCancel={done}>
      <TextArea
        label="Description"
        autoFocus
        maxLength={2000}
        rows={4}
        dir="auto"
        {...edit.field('description')}
      />
    </EditForm>
  );
}
