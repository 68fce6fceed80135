import { useState } from 'react';
import { useCall } from '#console/core/api.ts';
import { SchemaPreviewLine } from '#console/devices/deviceClasses/schema/SchemaPreviewLine.tsx';
import { classInput } from '#console/devices/useDeviceClass.ts';
import { textOfJson } from '#console/ui/code/jsonText.ts';
import { Confirm } from '#console/ui/dialog/Confirm.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { type DeviceClass, editDeviceClass } from '#contract/deviceClass.ts';
import { classFields, type DeviceClassRevision } from '#contract/deviceClassRevision.ts';
import { placesText } from './revisionTexts.ts';

interface RestoreRevisionProps {
  deviceClass: DeviceClass;
  revision: DeviceClassRevision;
  onDone: () => void;
  onClose: () => void;
}

/**
 * Restores an earlier revision of a class by an ordinary edit: it becomes the next revision, and is refused if someone
 * else has saved a newer one.
 */
export function RestoreRevision({ deviceClass, revision, onDone, onClose }: RestoreRevisionProps) {
  const { projectId, id } = deviceClass;
  // The class as it was when the dialog opened, so that changes made by others in the meantime are not overwritten
  // unseen.
  const [onto] = useState(deviceClass);
  const fields = classFields.filter(name => JSON.stringify(revision[name]) !== JSON.stringify(onto[name]));
  const body = Object.fromEntries(fields.map(name => [name, revision[name] ?? null]));
  const { stateSchema } = revision;
  const save = useCall(editDeviceClass, {
    onDone(saved) {
      toast(`Restored as revision ${saved.revision}`);
      onDone();
    },
  });
  if (fields.length === 0)
    return (
      <Confirm
        title={`Revision ${revision.revision} is the current one`}
        verb="Close"
        danger={false}
        onConfirm={() => undefined}
        onClose={onClose}
      />
    );
  return (
    <Confirm
      title={`Restore revision ${revision.revision}?`}
      verb="Restore revision"
      danger={false}
      onConfirm={() => save.mutateAsync({ ...classInput(projectId, id), body, ifMatch: onto.revision })}
      onClose={onClose}
    >
      <p>
        The {placesText(fields)} will be as in revision {revision.revision}. This becomes revision{' '}
        {onto.revision + 1}; revision {onto.revision} is kept.
      </p>
      {fields.includes('stateSchema') && stateSchema !== undefined && (
        <SchemaPreviewLine deviceClass={onto} text={textOfJson(stateSchema)} />
      )}
    </Confirm>
  );
}
