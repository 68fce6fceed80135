import { useCall } from '#console/core/api.ts';
import { CreateDialog } from '#console/ui/dialog/CreateDialog.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { StaleNotice } from '#console/ui/edit/StaleNotice.tsx';
import { useEdit } from '#console/ui/edit/useEdit.ts';
import { editProxyRoute, type ProxyRoute } from '#contract/proxyRoute.ts';
import { RouteFields } from './RouteFields.tsx';
import { bodyOf, faultsOf, type RouteValues, valuesOf, wordsOfRoute } from './routeForm.ts';
import { DraftVerdicts } from './tester/DraftVerdicts.tsx';

export function EditProxyRoute({ route, onClose }: { route: ProxyRoute; onClose: () => void }) {
  const save = useCall(editProxyRoute);
  const { id: routeId, projectId } = route;
  const edit = useEdit<ProxyRoute, RouteValues>({
    row: route,
    words: wordsOfRoute,
    toForm: valuesOf,
    check: faultsOf,
    send: (_, ifMatch, values) => save.mutateAsync({ params: { routeId }, body: bodyOf(values), ifMatch }),
    onDone(saved) {
      if (saved) toast('App Proxy route saved');
      onClose();
    },
  });
  return (
    <CreateDialog title={`Edit ${route.sourcePath}`} verb="Save route" form={edit} onClose={onClose}>
      {edit.stale && <StaleNotice stale={edit.stale} saving={edit.saving} />}
      <RouteFields projectId={projectId} form={edit} />
      <DraftVerdicts projectId={projectId} values={edit.values} routeId={routeId} />
    </CreateDialog>
  );
}
