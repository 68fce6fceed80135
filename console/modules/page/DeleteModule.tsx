import { ConfirmDelete } from '#console/ui/dialog/ConfirmDelete.tsx';
import { deleteSmartModule, type SmartModule } from '#contract/smartModule.ts';

export function DeleteModule({
  module: { id: moduleId, projectId },
  onClose,
}: {
  module: SmartModule;
  onClose: () => void;
}) {
  return (
    <ConfirmDelete
      noun="smart module"
      endpoint={deleteSmartModule}
      input={{ params: { projectId, moduleId } }}
      leaveTo={{ to: '/projects/$projectId/smart_modules', params: { projectId } }}
      onClose={onClose}
    >
      <p>
        Do you really want to delete smart module <b>{moduleId}</b>?
      </p>
      <p>It stops receiving events. Waiting runs are discarded, and its past runs and data are lost.</p>
    </ConfirmDelete>
  );
}
