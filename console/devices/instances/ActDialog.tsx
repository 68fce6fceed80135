import type { ReactNode } from 'react';
import { useSubmit } from '#console/core/api.ts';
import { invalidate } from '#console/core/client.ts';
import { leavingItem } from '#console/core/leavingProject.ts';
import { channelValue, stableChannel } from '#console/devices/deviceWords.ts';
import { useChannelChoices } from '#console/firmware/channels/useChannelChoices.ts';
import { Confirm } from '#console/ui/dialog/Confirm.tsx';
import { CreateDialog } from '#console/ui/dialog/CreateDialog.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { SelectField } from '#console/ui/form/SelectField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { actOnDevices, type DeviceAction } from '#contract/deviceBulk.ts';
import { type Act, type DeviceSelection, perform } from './deviceSelection.ts';

interface ActDialogProps {
  act: Act;
  selection: DeviceSelection;
  /** The channel that a single device currently follows. */
  channel?: string | undefined;
  onClose: () => void;
  /** Called before reads are refreshed; with the job, if there is one to follow. */
  onDone?: ((job: DeviceAction | undefined) => Promise<unknown> | undefined) | undefined;
}

const done: Record<Act, string> = {
  suspend: 'suspended',
  resume: 'resumed',
  move: 'moved',
  delete: 'deleted',
};

/** Deleting this many devices or more requires typing a confirmation. */
const manyFrom = 25;

const isMany = (selection: DeviceSelection) =>
  'matching' in selection || ('ids' in selection && selection.ids.length >= manyFrom);

/** Asks before devices are suspended, resumed, moved or deleted, and says what that means for them. */
export function ActDialog({ act, selection, channel = '', onClose, onDone }: ActDialogProps) {
  const submit = useSubmit();
  const noun = 'id' in selection ? 'device' : selection.said;

  async function go(to?: string): Promise<void> {
    let job: DeviceAction | undefined;
    const work = async () => {
      job = await perform(submit, act, selection, to);
      await onDone?.(job);
    };
    await (act === 'delete' && 'id' in selection ? leavingItem(`/devices/${selection.id}`, work) : work());
    void invalidate(actOnDevices, { projectId: selection.projectId });
    if (job?.state !== 'running') toast(`${capital(noun)} ${done[act]}`);
  }

  if (act === 'move')
    return <Move noun={noun} selection={selection} from={channel} onMove={to => go(to)} onClose={onClose} />;
  const verb = `${capital(act)} ${noun}`;
  return (
    <Confirm
      title={verb}
      verb={verb}
      danger={act !== 'resume'}
      {...(act === 'delete' && isMany(selection) && { typedName: selection.said })}
      onConfirm={() => go()}
      onClose={onClose}
    >
      {says[act](<b dir="auto">{selection.said}</b>, 'id' in selection)}
    </Confirm>
  );
}

const says: Record<Exclude<Act, 'move'>, (said: ReactNode, isOne: boolean) => ReactNode> = {
  suspend: (said, isOne) => (
    <p>
      {said} will be disconnected within a second, and refused until you resume {isOne ? 'it' : 'them'}. No
      data is lost: state, events and logs are kept.
    </p>
  ),
  resume: (said, isOne) => (
    <p>
      {said} can connect again, with the {isOne ? 'key it has' : 'keys they have'}.
    </p>
  ),
  delete: (said, isOne) => (
    <>
      <p>
        Do you really want to delete {isOne && 'device '}
        {said}?
      </p>
      <p>
        State, events, commands, logs and {isOne ? 'the key' : 'the keys'} are deleted with{' '}
        {isOne ? 'it' : 'them'}. The hardware can no longer connect. Audit log entries are kept.
      </p>
    </>
  ),
};

interface MoveProps {
  noun: string;
  selection: DeviceSelection;
  from: string;
  onMove: (to: string) => Promise<void>;
  onClose: () => void;
}

function Move({ noun, selection, from, onMove, onClose }: MoveProps) {
  const channels = useChannelChoices(selection.projectId, selection.deviceClass);
  const now = from || stableChannel;
  const form = useForm({
    initial: { channel: now },
    async submit({ channel }) {
      await onMove(channelValue(channel));
      onClose();
    },
  });
  const choices = channels ?? [now];
  return (
    <CreateDialog title="Move to channel" verb={`Move ${noun}`} form={form} onClose={onClose}>
      <SelectField
        label="Channel"
        hint={`A device gets its firmware from its channel. New devices start on ${stableChannel}.`}
        {...form.field('channel')}
        options={choices.map(name => ({ value: name, label: name }))}
      />
    </CreateDialog>
  );
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
