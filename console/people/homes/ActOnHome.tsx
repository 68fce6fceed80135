import { useCall } from '#console/core/api.ts';
import { countOf } from '#console/firmware/firmwareWords.ts';
import { Confirm } from '#console/ui/dialog/Confirm.tsx';
import { ConfirmDelete } from '#console/ui/dialog/ConfirmDelete.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { deleteHome, editHome, type Home } from '#contract/home.ts';

export type HomeAct = 'activate' | 'deactivate' | 'delete';

interface ActOnHomeProps {
  act: HomeAct;
  home: Home;
  onClose: () => void;
}

/** Asks before a home is activated, deactivated or deleted, and says what that means for its members. */
export function ActOnHome({ act, home, onClose }: ActOnHomeProps) {
  const { id: homeId, projectId, deviceCount, memberCount } = home;
  const edit = useCall(editHome);
  const name = <b dir="auto">{home.name}</b>;
  if (act === 'delete')
    return (
      <ConfirmDelete
        noun="home"
        endpoint={deleteHome}
        input={{ params: { homeId } }}
        leaveTo={{ to: '/projects/$projectId/homes', params: { projectId } }}
        onClose={onClose}
      >
        <p>Do you really want to delete home {name}?</p>
        <p>
          {deviceCount > 0 &&
            `${countOf(deviceCount, 'device is', 'devices are')} released: the home’s data on ${deviceCount === 1 ? 'it' : 'them'} is wiped, and each gets a new claim code. `}
          {countOf(memberCount, 'member loses', 'members lose')} access at once. Their accounts stay.
        </p>
      </ConfirmDelete>
    );
  const activates = act === 'activate';
  const verb = activates ? 'Activate home' : 'Deactivate home';
  async function go() {
    await edit.mutateAsync({ params: { homeId }, body: { active: activates } });
    toast(activates ? 'Home activated' : 'Home deactivated');
  }
  return (
    <Confirm title={verb} verb={verb} danger={!activates} onConfirm={go} onClose={onClose}>
      <p>
        {activates ? (
          <>Members of {name} can control its devices from now on, as their roles allow.</>
        ) : (
          <>Members still see {name} and its devices, but cannot control them until you activate it again.</>
        )}
      </p>
    </Confirm>
  );
}
