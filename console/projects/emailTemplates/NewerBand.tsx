import { useState } from 'react';
import { Button } from '#console/ui/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '#console/ui/dialog/Dialog.tsx';
import { reasons } from '#contract/problem.ts';
import css from './emailTemplates.module.css';
import { TemplateChanges } from './TemplateChanges.tsx';
import type { Content } from './useMailPreview.ts';
import type { TemplateDraftState } from './useTemplateForm.ts';

interface NewerBandProps {
  draft: TemplateDraftState;
  /** The newer version that someone else has saved. */
  theirs: Content;
}

/** If two people edit the same template, the second one is told, sees the difference and loses nothing. */
export function NewerBand({ draft: { base, discard, keepMine }, theirs }: NewerBandProps) {
  const [looking, setLooking] = useState(false);
  return (
    <div className={css.newer} role="alert">
      <p>
        {reasons.STALE[1]} <span>Someone else changed this template while you were editing.</span>
      </p>
      <Button onClick={() => setLooking(true)}>View changes</Button>
      {looking && (
        <Dialog title="Changes since you started" shape="wide" onClose={() => setLooking(false)}>
          <DialogBody>
            <TemplateChanges
              before={base}
              after={theirs}
              none="It is identical to the version you started from."
            />
          </DialogBody>
          <DialogFooter>
            <Button onClick={() => setLooking(false)}>Close</Button>
            <Button onClick={discard}>Discard my draft</Button>
            <Button variant="primary" onClick={keepMine}>
              Keep my draft
            </Button>
          </DialogFooter>
        </Dialog>
      )}
    </div>
  );
}
