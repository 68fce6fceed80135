import type { Project } from '#contract/project.ts';
import { IrreversibleSwitch } from './IrreversibleSwitch.tsx';

export function DeviceKeysPanel({ project }: { project: Project }) {
  return (
    <IrreversibleSwitch
      project={project}
      title="Device key storage"
      option="forgetDeviceKeys"
      before={{
        word: 'Keys are stored',
        text: 'The API keys of devices are kept encrypted, can be read again and are part of an export.',
      }}
      after={{
        word: 'Keys are forgotten',
        text: 'Only hashes are kept. A device’s API key is shown once, when it is made, and never exported.',
      }}
      verb="Forget device keys"
      consequence="The readable copies of all device keys are wiped at once. Devices go on working with the keys they have; whoever loses one needs a new one."
    />
  );
}
