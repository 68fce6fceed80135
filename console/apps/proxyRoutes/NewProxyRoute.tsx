import { useNavigate } from '@tanstack/react-router';
import { useCall } from '#console/core/api.ts';
import { CreateDialog } from '#console/ui/dialog/CreateDialog.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { createProxyRoute, type ProxyRoute } from '#contract/proxyRoute.ts';
import { RouteFields } from './RouteFields.tsx';
import { bodyOf, faultsOf, newRoute, type RouteValues, valuesOf } from './routeForm.ts';
import { DraftVerdicts } from './tester/DraftVerdicts.tsx';

interface NewProxyRouteProps {
  projectId: string;
  /** The route whose values are the initial values. */
  copyOf?: ProxyRoute;
  onClose: () => void;
}

/** Opens the new route, where a call can be tried. */
export function NewProxyRoute({ projectId, copyOf, onClose }: NewProxyRouteProps) {
  const navigate = useNavigate();
  const create = useCall(createProxyRoute);
  const form = useForm<RouteValues>({
    initial: copyOf ? valuesOf(copyOf) : newRoute,
    check: faultsOf,
    async submit(values) {
      const { id: routeId } = await create.mutateAsync({ body: { projectId, ...bodyOf(values) } });
      toast('App Proxy route created');
      const to = '/projects/$projectId/proxy_routes/$routeId';
      await navigate({ to, params: { projectId, routeId }, hash: '', replace: copyOf === undefined });
      onClose();
    },
  });
  return (
    <CreateDialog
      title={copyOf ? 'Duplicate route' : 'Create route'}
      verb="Create route"
      form={form}
      onClose={onClose}
    >
      <RouteFields projectId={projectId} form={form} />
      <DraftVerdicts projectId={projectId} values={form.values} />
    </CreateDialog>
  );
}
