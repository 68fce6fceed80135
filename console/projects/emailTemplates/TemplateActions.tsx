import { useActions } from '#console/core/actions.ts';
import { useHashDialog } from '#console/core/urlState.ts';
import { Button } from '#console/ui/Button.tsx';
import { Confirm } from '#console/ui/dialog/Confirm.tsx';
import { Menu, type MenuItem } from '#console/ui/dialog/Menu.tsx';
import type { TemplateDraftState } from './useTemplateForm.ts';

interface TemplateActionsProps {
  draft: TemplateDraftState;
  /** The saved template differs from the default. */
  changed: boolean;
  sending: boolean;
  onSendTest: () => void;
}

export function TemplateActions({ draft, changed, sending, onSendTest }: TemplateActionsProps) {
  const { form, save, discard, revert } = draft;
  const reverting = useHashDialog('revert');
  useActions([
    { label: 'Save template', run: save },
    { label: 'Send test to yourself', run: onSendTest },
  ]);
  const items: MenuItem[] = [];
  if (form.dirty) items.push({ label: 'Discard draft', run: discard });
  if (changed) items.push({ label: 'Revert to default', danger: true, run: reverting.show });
  return (
    <>
      <Button busy={sending} onClick={onSendTest}>
        Send test to yourself
      </Button>
      <Button variant="primary" busy={form.saving} disabled={!form.dirty} onClick={save}>
        Save
      </Button>
      {items.length > 0 && <Menu label="More actions" items={items} />}
      {reverting.open && (
        <Confirm
          title="Revert to the default?"
          verb="Revert template"
          onConfirm={revert}
          onClose={reverting.hide}
        >
          <p>
            Do you really want to delete the customization of this template? The subject and body return to
            the default. The current version stays in the audit log.
          </p>
        </Confirm>
      )}
    </>
  );
}
