import { useEffect, useRef } from 'react';
import { useActions } from '#console/core/actions.ts';
import { useCall } from '#console/core/api.ts';
import { useHashForm } from '#console/core/membership/useHashForm.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { typeWords } from '#console/modules/moduleTypes.tsx';
import { Button } from '#console/ui/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '#console/ui/dialog/Dialog.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { testSmartModule } from '#contract/moduleRun.ts';
import type { SmartModule, SmartModuleType } from '#contract/smartModule.ts';
import { AttemptView } from './AttemptView.tsx';

/** The test button of a module, for members who may use it. */
export function useTest(module: SmartModule, type: SmartModuleType) {
  const mayTest = useMay(testSmartModule);
  const may = mayTest && type.canBeTested;
  const { test } = typeWords[type.id];
  const dialog = useHashForm('test', test, mayTest);
  useActions(may ? [{ label: test, keys: 't', run: dialog.show }] : []);
  return {
    button: may && <Button onClick={dialog.show}>{test}</Button>,
    dialog: may && dialog.open && <TestDialog module={module} title={test} onClose={dialog.hide} />,
  };
}

function TestDialog({ module, title, onClose }: { module: SmartModule; title: string; onClose: () => void }) {
  const { projectId, id: moduleId, moduleType } = module;
  const test = useCall(testSmartModule);
  const acts = moduleType === 'schedule';
  const run = () => test.mutate({ params: { projectId, moduleId }, body: acts ? { act: true } : {} });
  const first = useRef(run);
  const begun = useRef(false);
  useEffect(() => {
    // A schedule acts on devices, so its test takes a separate press.
    if (acts || begun.current) return;
    begun.current = true;
    first.current();
  }, [acts]);
  return (
    <Dialog title={title} shape="wide" onClose={onClose}>
      <DialogBody>
        {acts && !test.data && <p>This runs the schedule now, for all of its devices.</p>}
        {!acts && moduleType === 'rule' && (
          <p>
            Evaluates the condition for the latest event, and shows what each action would do if it is true.
            Nothing is carried out.
          </p>
        )}
        <FormError error={test.error} />
        {test.isPending && <Skeleton lines={4} />}
        {test.data && !test.isPending && <AttemptView attempt={test.data} />}
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose}>Close</Button>
        <Button variant="primary" busy={test.isPending} onClick={run}>
          {test.data || test.error ? 'Try again' : title}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
