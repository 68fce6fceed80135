import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useActions } from '#console/core/actions.ts';
import { useRead } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { useAnyDevice } from '#console/guide/onboarding/useAnyDevice.ts';
import { useAppSimulator } from '#console/guide/simulators/useAppSimulator.ts';
import { Button } from '#console/ui/Button.tsx';
import { firstLine } from '#console/ui/firstLine.ts';
import { WindowIcon } from '#console/ui/icons/icons.tsx';
import { DetailScreen } from '#console/ui/screen/DetailScreen.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { NotFound } from '#console/ui/state/NotFound.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { type App, deleteApp, editApp, readApp, readAppFigures } from '#contract/app.ts';
import { createTemporaryKey } from '#contract/device.ts';
import { AppSignInPanel } from './AppSignInPanel.tsx';
import css from './apps.module.css';
import { ConnectAppPanel } from './ConnectAppPanel.tsx';
import { AppConfigPanel } from './config/AppConfigPanel.tsx';
import { DeleteApp } from './DeleteApp.tsx';
import { EditApp } from './EditApp.tsx';
import { EventsPanel } from './events/EventsPanel.tsx';
import { AppSessionsPanel } from './sessions/AppSessionsPanel.tsx';
import { SessionLengthPanel } from './sessions/SessionLengthPanel.tsx';

const refetchMs = 30_000;

/** One app: who uses it, its config, the events it receives, and how its users sign in. */
export function AppScreen() {
  const { projectId, appId } = useParams({ from: '/shell/projects/$projectId/apps/$appId' });
  const read = useRead(readApp, { params: { appId }, query: { projectId } });
  const { data, error } = read;
  if (error?.reason === 'APP_NOT_FOUND') return <NotFound what={`App ${appId} does not exist.`} />;
  if (!data) return <ReadState read={read} what="The app" />;
  return (
    <>
      <ReadState read={read} what="The app" refetchError />
      <OneApp app={data} />
    </>
  );
}

function OneApp({ app }: { app: App }) {
  const { id: appId, projectId, description } = app;
  const [doing, setDoing] = useState<'edit' | 'delete'>();
  const close = () => setDoing(undefined);
  const mayEdit = useMay(editApp);
  const mayDelete = useMay(deleteApp);
  const figures = useRead(
    readAppFigures,
    { params: { appId }, query: { projectId } },
    { refetchInterval: refetchMs },
  );
  const simulator = useAppSimulator();
  const device = useAnyDevice(projectId);
  const maySimulate = useMay(createTemporaryKey);
  const simulate = { label: 'Open simulator', run: () => void simulator.open(appId) };
  const both = { label: 'Open with a device', run: () => void simulator.open(appId, device?.id) };
  const remove = { label: 'Delete app', run: () => setDoing('delete') };
  const edit = { label: 'Edit app', keys: 'e', run: () => setDoing('edit') };
  const beside = maySimulate && device ? [both] : [];
  useActions([simulate, ...beside, ...(mayEdit ? [edit] : []), ...(mayDelete ? [remove] : [])]);
  return (
    <DetailScreen
      name={appId}
      state={
        description && (
          <span className={css.description} dir="auto" title={description}>
            {firstLine(description)}
          </span>
        )
      }
      actions={
        <>
          {mayEdit && <Button onClick={edit.run}>Edit</Button>}
          <Button variant="primary" icon={<WindowIcon />} busy={simulator.opening} onClick={simulate.run}>
            Open simulator
          </Button>
        </>
      }
      {...((mayDelete || beside.length > 0) && {
        menu: [...beside, ...(mayDelete ? ([{ ...remove, danger: true }] as const) : [])],
      })}
      side={
        <>
          <EventsPanel app={app} events={figures.data?.events} locked={!mayEdit} />
          <SessionLengthPanel app={app} openSessions={figures.data?.openSessions} locked={!mayEdit} />
          <ConnectAppPanel app={app} />
        </>
      }
    >
      <FormError error={simulator.error} />
      <AppSessionsPanel app={app} read={figures} />
      <AppConfigPanel app={app} reads={figures.data?.configReads} locked={!mayEdit} />
      <AppSignInPanel app={app} locked={!mayEdit} />
      {doing === 'edit' && <EditApp app={app} onClose={close} />}
      {doing === 'delete' && (
        <DeleteApp app={app} openSessions={figures.data?.openSessions} onClose={close} />
      )}
    </DetailScreen>
  );
}
