import { useState } from 'react';
import { useCall } from '#console/core/api.ts';
import { useProject } from '#console/core/membership/useProject.ts';
import { Button } from '#console/ui/Button.tsx';
import { CopyText } from '#console/ui/CopyText.tsx';
import { CreateDialog } from '#console/ui/dialog/CreateDialog.tsx';
import { Dialog, DialogBody, DialogFooter } from '#console/ui/dialog/Dialog.tsx';
import { graceChoices } from '#console/ui/dialog/graceChoices.ts';
import { KeyGuard } from '#console/ui/dialog/KeyGuard.tsx';
import { SelectField } from '#console/ui/form/SelectField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { Facts } from '#console/ui/screen/Panel.tsx';
import { absoluteTime } from '#console/ui/time/dateTexts.ts';
import { type Device, rotateDeviceKey } from '#contract/device.ts';
import type { AnswerOf } from '#contract/endpoint.ts';

/** Creates a new key and sets how long the hardware may continue with the old one. */
export function RotateKey({ device, onClose }: { device: Device; onClose: () => void }) {
  const [made, setMade] = useState<AnswerOf<typeof rotateDeviceKey>>();
  const { data: project } = useProject();
  const rotate = useCall(rotateDeviceKey);
  const form = useForm({
    initial: { graceS: '86400' },
    async submit({ graceS }) {
      const params = { deviceId: device.id };
      setMade(await rotate.mutateAsync({ params, body: { graceS: Number(graceS) } }));
    },
  });
  if (made) return <NewKey made={made} isForgotten={project?.forgetDeviceKeys ?? false} onClose={onClose} />;
  return (
    <CreateDialog title="Rotate key" form={form} onClose={onClose}>
      <p>The device gets a new API key. Update the hardware before the old key stops working.</p>
      <SelectField
        label="Old key stops working"
        options={graceChoices}
        hint={
          form.values.graceS === '0'
            ? 'Its connections are closed now, and it cannot reconnect without the new key.'
            : 'Until then, both keys work.'
        }
        {...form.field('graceS')}
      />
    </CreateDialog>
  );
}

interface NewKeyProps {
  made: AnswerOf<typeof rotateDeviceKey>;
  isForgotten: boolean;
  onClose: () => void;
}

function NewKey({ made: { apiKey, previousKeyUntil }, isForgotten, onClose }: NewKeyProps) {
  return (
    <Dialog title="New key" onClose={onClose}>
      {isForgotten && <KeyGuard apiKey={apiKey} />}
      <DialogBody>
        {isForgotten && (
          <p role="status">
            <b>Copy it now.</b> This project does not store device keys: this is the only time it is shown.
          </p>
        )}
        <Facts
          facts={[
            ['API key', <CopyText key="key" text={apiKey} wrap label="Copy API key" />],
            ['Old key', previousKeyUntil ? `works until ${absoluteTime(previousKeyUntil)}` : 'stopped'],
          ]}
        />
      </DialogBody>
      <DialogFooter>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
