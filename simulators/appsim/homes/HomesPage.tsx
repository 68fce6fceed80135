import { useStore } from '#console/core/store.ts';
import { Button } from '#console/ui/Button.tsx';
import { CheckIcon } from '#console/ui/icons/icons.tsx';
import type { MyHome } from '#sdk/app.ts';
import { PhonePage, Row, Rows } from '../phone/PhonePage.tsx';
import css from '../phone/phone.module.css';
import type { AppSimulation, Config } from '../simulation.ts';
import { Invitations } from './Invitations.tsx';

/** All homes of the user: choose one, or create another. */
export function HomesPage({ simulation, config }: { simulation: AppSimulation; config: Config }) {
  const { navigation } = simulation;
  const homes = useStore(simulation.homes) ?? [];
  const chosen = useStore(simulation.home)?.id;
  function choose(id: string) {
    void simulation.readHomes(id);
    navigation.show('home');
  }
  return (
    <PhonePage title="Homes" onBack={() => navigation.back()}>
      <Rows label="Homes">
        {homes.map(home => (
          <Row
            key={home.id}
            main={home.name}
            sub={aboutHome(home)}
            end={home.id === chosen && <CheckIcon size={16} />}
            current={home.id === chosen}
            onPress={() => choose(home.id)}
          />
        ))}
      </Rows>
      {config.homeCreation && (
        <div className={css.wide}>
          <Button onClick={() => navigation.open({ kind: 'newHome' })}>New home</Button>
        </div>
      )}
      <Invitations simulation={simulation} />
    </PhonePage>
  );
}

function aboutHome({ role, deviceCount, memberCount, active }: MyHome): string {
  const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`;
  return [role, count(deviceCount, 'device'), count(memberCount, 'member'), !active && 'not active']
    .filter(Boolean)
    .join(' · ');
}
