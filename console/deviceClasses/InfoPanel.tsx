import { useCall } from '#console/api.ts';
import { CopyText } from '#console/ui/CopyText.tsx';
import { EditForm } from '#console/ui/EditForm.tsx';
import { Facts, Panel } from '#console/ui/Panel.tsx';
import { TextArea } from '#console/ui/TextField.tsx';
import { TimeAgo } from '#console/ui/TimeAgo.tsx';
import { toast } from '#console/ui/Toast.tsx';
import { useEdit } from '#console/ui/useEdit.ts';
import { type DeviceClass, editDeviceClass } from '#contract/deviceClass.ts';
import { classInput } from './useDeviceClass.ts';

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
