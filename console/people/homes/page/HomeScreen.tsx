import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useActions } from '#console/core/actions.ts';
import { useRead } from '#console/core/api.ts';
import { useHashForm } from '#console/core/membership/useHashForm.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { useProject } from '#console/core/membership/useProject.ts';
import { OpenInApp } from '#console/guide/simulators/OpenInApp.tsx';
import { AccessControlPanel } from '#console/people/homes/AccessControlPanel.tsx';
import { ActOnHome, type HomeAct } from '#console/people/homes/ActOnHome.tsx';
import { AddHomeDevice } from '#console/people/homes/devices/AddHomeDevice.tsx';
import { HomeDevicesPanel } from '#console/people/homes/devices/HomeDevicesPanel.tsx';
import { OfferTransfer } from '#console/people/homes/handover/OfferTransfer.tsx';
import { OwnershipPanel } from '#console/people/homes/handover/OwnershipPanel.tsx';
import { PrepareResale } from '#console/people/homes/handover/PrepareResale.tsx';
import css from '#console/people/homes/homes.module.css';
import { AddHomeMember } from '#console/people/homes/members/AddHomeMember.tsx';
import { HomeMembersPanel } from '#console/people/homes/members/HomeMembersPanel.tsx';
import { Button } from '#console/ui/Button.tsx';
import { CopyText } from '#console/ui/CopyText.tsx';
import type { MenuItem } from '#console/ui/dialog/Menu.tsx';
import { PlusIcon } from '#console/ui/icons/icons.tsx';
import { DetailScreen } from '#console/ui/screen/DetailScreen.tsx';
import { NotFound } from '#console/ui/state/NotFound.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { StatePill } from '#console/ui/state/StatePill.tsx';
import { editHome, type Home, readHome } from '#contract/home.ts';
import type { Project } from '#contract/project.ts';
import { HomeInfoPanel } from './HomeInfoPanel.tsx';

/** One home: who shares it and may do what, its devices, and who owns it. */
export function HomeScreen() {
  const { projectId, homeId } = useParams({ from: '/shell/projects/$projectId/homes/$homeId' });
  const { data: project } = useProject();
  const read = useRead(readHome, { params: { homeId } });
  const { data, error } = read;
  // An id that is not valid is refused before it is looked up.
  const isUnknown = error?.reason === 'HOME_NOT_FOUND' || error?.fields.homeId !== undefined;
  if (isUnknown || (data && data.projectId !== projectId))
    return <NotFound what={`Home ${homeId} does not exist.`} />;
  if (!data || !project) return <ReadState read={read} what="The home" />;
  return (
    <>
      <ReadState read={read} what="The home" refetchError />
      <OneHome project={project} home={data} />
    </>
  );
}

function OneHome({ project, home }: { project: Project; home: Home }) {
  const { name, active, transfer, deviceCount, owner } = home;
  const [act, setAct] = useState<HomeAct>();
  const mayEdit = useMay(editHome);
  const { adding, addingDevice, offering, reselling } = useForms(mayEdit);
  const deed = (label: string, run: () => void) => ({ label, run });
  const isOn = active
    ? deed('Deactivate home', () => setAct('deactivate'))
    : deed('Activate home', () => setAct('activate'));
  const rare = [
    isOn,
    ...(transfer ? [] : [deed('Offer transfer', offering.show)]),
    ...(deviceCount > 0 ? [deed('Prepare resale', reselling.show)] : []),
  ];
  const remove = deed('Delete home', () => setAct('delete'));
  const often = [{ ...deed('Add device', addingDevice.show), keys: 'c' }, deed('Add member', adding.show)];
  useActions(mayEdit ? [...often, ...rare, remove] : []);
  const menu: (MenuItem | 'line')[] = [...rare, 'line', { ...remove, danger: true }];
  const handover = { onOffer: offering.show, onResale: reselling.show };
  return (
    <DetailScreen
      name={name}
      state={<HomeState home={home} />}
      actions={
        <>
          <OpenInApp projectId={project.id} email={owner.email} homeId={home.id} />
          {mayEdit && (
            <>
              <Button onClick={adding.show}>Add member</Button>
              <Button variant="primary" icon={<PlusIcon />} onClick={addingDevice.show}>
                Add device
              </Button>
            </>
          )}
        </>
      }
      {...(mayEdit && { menu })}
      side={
        <>
          <HomeInfoPanel home={home} />
          <AccessControlPanel project={project} />
          <OwnershipPanel home={home} mayEdit={mayEdit} {...handover} />
        </>
      }
    >
      {!active && <NotActive onActivate={mayEdit ? isOn.run : undefined} />}
      <HomeMembersPanel home={home} hasRoles={project.enablePermissionBasedAccessControl} />
      <HomeDevicesPanel home={home} />
      {adding.open && <AddHomeMember {...{ project, home }} onClose={adding.hide} />}
      {addingDevice.open && <AddHomeDevice home={home} onClose={addingDevice.hide} />}
      {offering.open && <OfferTransfer home={home} onClose={offering.hide} />}
      {reselling.open && <PrepareResale home={home} onClose={reselling.hide} />}
      {act && <ActOnHome act={act} home={home} onClose={() => setAct(undefined)} />}
    </DetailScreen>
  );
}

/** The forms of the screen, each with an address. */
function useForms(mayEdit: boolean) {
  return {
    adding: useHashForm('member', 'Add member', mayEdit),
    addingDevice: useHashForm('device', 'Add device', mayEdit),
    offering: useHashForm('transfer', 'Offer transfer', mayEdit),
    reselling: useHashForm('resale', 'Prepare resale', mayEdit),
  };
}

function HomeState({ home: { id, active } }: { home: Home }) {
  return (
    <>
      <CopyText text={id} shown={`home ${id}`} label="Copy id" />
      <StatePill tone={active ? 'ok' : 'off'} word={active ? 'Active' : 'Not active'} />
    </>
  );
}

function NotActive({ onActivate }: { onActivate: (() => void) | undefined }) {
  return (
    <div className={css.inactive}>
      <p>This home is not active: its members see it, but cannot control anything.</p>
      {onActivate && <Button onClick={onActivate}>Activate home</Button>}
    </div>
  );
}
