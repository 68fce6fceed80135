import { IrreversibleSwitch } from '#console/ui/edit/IrreversibleSwitch.tsx';
import type { Project } from '#contract/project.ts';

export function DeviceKeysPanel({ project }: { project: Project }) {
  return (
    <IrreversibleSwitch
      project={project}
      title="Device key storage"
      option="forgetDeviceKeys"
      before={{
        word: 'Keys are stored',
        text: 'Device API keys are stored encrypted, can be read again and are included in exports.',
      }}
      after={{
        word: 'Keys are not stored',
        text: 'Only hashes are stored. A device’s API key is shown once, when it is created, and never exported.',
      }}
      verb="Stop storing device keys"
      consequence="The readable copies of all device keys are erased immediately. Devices keep working with their keys; if a key is lost, rotate it."
    />
  );
}
