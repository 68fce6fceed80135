import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useActions } from '#console/core/actions.ts';
import { useCall, useRead } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { Button } from '#console/ui/Button.tsx';
import { CopyText } from '#console/ui/CopyText.tsx';
import { ConfirmDelete } from '#console/ui/dialog/ConfirmDelete.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { usePress } from '#console/ui/edit/usePress.ts';
import { DetailScreen } from '#console/ui/screen/DetailScreen.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { NotFound } from '#console/ui/state/NotFound.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { checkProxyReachability, readProxyRouteFigures } from '#contract/proxyCall.ts';
import {
  createProxyRoute,
  deleteProxyRoute,
  editProxyRoute,
  type ProxyRoute,
  readProxyRoute,
} from '#contract/proxyRoute.ts';
import { EditProxyRoute } from './EditProxyRoute.tsx';
import { NewProxyRoute } from './NewProxyRoute.tsx';
import { LastCallsPanel } from './page/LastCallsPanel.tsx';
import { ReachabilityPanel } from './page/ReachabilityPanel.tsx';
import { RouteFigures } from './page/RouteFigures.tsx';
import { RoutePanel } from './page/RoutePanel.tsx';
import { RouteStatePill } from './page/RouteStatePill.tsx';
import { SigningKeyPanel } from './page/SigningKeyPanel.tsx';
import { TryPanel } from './tester/TryPanel.tsx';

const refetchMs = 10_000;

/** One route: where it leads, what passes through it, and what a call would become. */
export function ProxyRouteScreen() {
  const { projectId, routeId } = useParams({ from: '/shell/projects/$projectId/proxy_routes/$routeId' });
  const read = useRead(readProxyRoute, { params: { routeId } }, { refetchInterval: refetchMs });
  const { data, error } = read;
  if (error?.reason === 'PROXY_ROUTE_NOT_FOUND' || (data && data.projectId !== projectId))
    return <NotFound what={`App Proxy route ${routeId} does not exist.`} />;
  if (!data) return <ReadState read={read} what="The route" />;
  return (
    <>
      <ReadState read={read} what="The route" refetchError />
      <OneRoute route={data} />
    </>
  );
}

type Asked = 'edit' | 'duplicate' | 'delete';

/** The actions on the route: as buttons, in the menu and in the palette. */
function useDeeds(route: ProxyRoute, ask: (asked: Asked) => void) {
  const { id: routeId, suspended } = route;
  const save = useCall(editProxyRoute);
  const pressed = usePress(route, (body, ifMatch) =>
    save.mutateAsync({ params: { routeId }, body, ifMatch }),
  );
  const toggle = async () => {
    if (await pressed.press(() => ({ suspended: !suspended })))
      toast(suspended ? 'App Proxy route resumed' : 'App Proxy route suspended');
  };
  const halt = { label: suspended ? 'Resume route' : 'Suspend route', run: () => void toggle() };
  const edit = { label: 'Edit route', keys: 'e', run: () => ask('edit') };
  const duplicate = { label: 'Duplicate route', run: () => ask('duplicate') };
  const remove = { label: 'Delete route', run: () => ask('delete') };
  const [mayCreate, mayEdit, mayDelete] = [
    useMay(createProxyRoute),
    useMay(editProxyRoute),
    useMay(deleteProxyRoute),
  ];
  useActions([
    ...(mayEdit ? [edit, halt] : []),
    ...(mayCreate ? [duplicate] : []),
    ...(mayDelete ? [remove] : []),
  ]);
  return {
    error: pressed.error,
    duplicate: mayCreate && duplicate,
    edit: mayEdit && edit,
    menu: mayDelete ? ([halt, 'line', { ...remove, danger: true }] as const) : undefined,
  };
}

function OneRoute({ route }: { route: ProxyRoute }) {
  const { id: routeId, sourcePath, targetUrl } = route;
  const [asked, setAsked] = useState<Asked>();
  const deeds = useDeeds(route, setAsked);
  const params = { routeId };
  const figures = useRead(readProxyRouteFigures, { params }, { refetchInterval: refetchMs });
  const reachability = useRead(checkProxyReachability, { params });
  return (
    <DetailScreen
      name={sourcePath}
      id={routeId}
      state={
        <>
          <RouteStatePill route={route} figures={figures} reachability={reachability} />
          <CopyText text={targetUrl} label="Copy target" />
        </>
      }
      actions={
        <>
          {deeds.duplicate && <Button onClick={deeds.duplicate.run}>Duplicate</Button>}
          {deeds.edit && (
            <Button variant="primary" onClick={deeds.edit.run}>
              Edit route
            </Button>
          )}
        </>
      }
      {...(deeds.menu && { menu: deeds.menu })}
      above={
        <>
          <FormError error={deeds.error} />
          <RouteFigures read={figures} />
        </>
      }
      side={
        <>
          <RoutePanel route={route} />
          <ReachabilityPanel read={reachability} />
          <SigningKeyPanel route={route} />
        </>
      }
    >
      <TryPanel route={route} />
      <LastCallsPanel route={route} />
      <Dialogs route={route} asked={asked} onClose={() => setAsked(undefined)} />
    </DetailScreen>
  );
}

interface DialogsProps {
  route: ProxyRoute;
  asked: Asked | undefined;
  onClose: () => void;
}

function Dialogs({ route, asked, onClose }: DialogsProps) {
  const { projectId, id: routeId, sourcePath } = route;
  if (asked === 'edit') return <EditProxyRoute route={route} onClose={onClose} />;
  if (asked === 'duplicate') return <NewProxyRoute projectId={projectId} copyOf={route} onClose={onClose} />;
  if (asked !== 'delete') return null;
  return (
    <ConfirmDelete
      noun="route"
      endpoint={deleteProxyRoute}
      input={{ params: { routeId } }}
      leaveTo={{ to: '/projects/$projectId/proxy_routes', params: { projectId } }}
      onClose={onClose}
    >
      <p>
        Do you really want to delete App Proxy route <code>{sourcePath}</code>?
      </p>
      <p>Further calls from apps are refused, unless another route matches the path.</p>
    </ConfirmDelete>
  );
}
