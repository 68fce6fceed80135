import { useCall } from '#console/core/api.ts';
import { banner } from '#console/core/banner.ts';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { UndoButton } from '#console/ui/dialog/UndoButton.tsx';
import { CallFailed } from '#contract/client.ts';
import { type Finding, hideFinding, showFinding } from '#contract/finding.ts';

/** Hides a finding from the person who looks, until it happens again; others still see it. */
export function useHideFinding(projectId: string) {
  const hiding = useCall(hideFinding);
  const showing = useCall(showFinding);
  const paramsOf = ({ id }: Finding) => ({ projectId, findingId: id });

  const show = (finding: Finding) => saying(() => showing.mutateAsync({ params: paramsOf(finding) }));
  const hide = (finding: Finding) =>
    saying(async () => {
      await hiding.mutateAsync({ params: paramsOf(finding), body: { at: finding.at } });
      toast('Hidden from you until it changes', <UndoButton undo={() => void show(finding)} />);
    });
  return { hide, show };
}

/** The row is gone by the time that a call fails, so the page says why. */
async function saying(act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    banner.set({ text: error.message, reason: error.reason });
  }
}
