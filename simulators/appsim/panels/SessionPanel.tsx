import { useStore } from '#console/core/store.ts';
import { Button } from '#console/ui/Button.tsx';
import { Facts, Panel } from '#console/ui/screen/Panel.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { StatePill, type Tone } from '#console/ui/state/StatePill.tsx';
import type { Me, StreamState } from '#sdk/app.ts';
import { durationText } from '../../shared/durationText.ts';
import { useNow } from '../../shared/useNow.ts';
import { nameOfUser } from '../nameOfUser.ts';
import type { AppSimulation } from '../simulation.ts';
import { useAct } from '../useAct.ts';
import { useHome } from '../useHome.ts';

const streamWords: Record<StreamState, [Tone, string]> = {
  live: ['ok', 'stream open'],
  connecting: ['busy', 'opening the stream'],
  waiting: ['warn', 'reconnects soon'],
  off: ['off', 'closed'],
};

/** The user of the session, their rights in this home, and when the session expires. */
export function SessionPanel({ simulation, user }: { simulation: AppSimulation; user: Me }) {
  const home = useHome(simulation);
  const [tone, word] = streamWords[useStore(simulation.stream)];
  const act = useAct();
  return (
    <Panel
      title="Session"
      action={
        <Button
          variant="quiet"
          busy={act.busy !== undefined}
          onClick={() => void act.run('refresh', () => simulation.refreshSession())}
        >
          Refresh now
        </Button>
      }
    >
      <FormError error={act.error} />
      <Facts
        facts={[
          [
            'User',
            <span key="user" dir="auto">
              {user.email ?? nameOfUser(user)}
            </span>,
          ],
          ['Role', home ? `${home.about.role} of ${home.about.name}` : 'no home yet'],
          ['Access token', <Left key="access" simulation={simulation} what="accessEndsAt" />],
          ['Session', <Left key="session" simulation={simulation} what="endsAt" />],
          ['Events', <StatePill key="events" shape="plain" tone={tone} word={word} />],
        ]}
      />
    </Panel>
  );
}

function Left({ simulation, what }: { simulation: AppSimulation; what: 'accessEndsAt' | 'endsAt' }) {
  const session = useStore(simulation.session);
  const now = useNow();
  if (!session) return '–';
  const leftMs = session[what].getTime() - now;
  return leftMs > 0 ? `ends in ${durationText(leftMs)}` : 'ended';
}
