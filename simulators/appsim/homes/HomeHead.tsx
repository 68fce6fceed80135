import { IconButton } from '#console/ui/Button.tsx';
import { ChevronDownIcon, SettingsIcon } from '#console/ui/icons/icons.tsx';
import type { ScreenProps } from '../phone/SignedIn.tsx';
import { AccountButton } from './AccountButton.tsx';
import css from './homes.module.css';

/** The name of the home; leads to other homes, its settings and the account. */
export function HomeHead({ simulation, config, user, home }: ScreenProps) {
  const { navigation } = simulation;
  return (
    <header className={css.head}>
      <div className={css.words}>
        <span className={css.project} dir="auto">
          {config.project.name}
        </span>
        <h2>
          <button type="button" className={css.choose} onClick={() => navigation.open({ kind: 'homes' })}>
            <span dir="auto">{home.about.name}</span>
            <ChevronDownIcon size={16} />
            <span className="visuallyHidden">, choose another home</span>
          </button>
        </h2>
      </div>
      <IconButton label="Home settings" onClick={() => navigation.open({ kind: 'homeSettings' })}>
        <SettingsIcon />
      </IconButton>
      <AccountButton simulation={simulation} user={user} />
    </header>
  );
}
