import { useStore } from '#console/core/store.ts';
import { chooseTheme, theme, themes } from '#console/core/theme.ts';
import { Button } from '#console/ui/Button.tsx';
import { Mark } from '#console/ui/screen/Mark.tsx';
import { Segments } from '#console/ui/screen/Segments.tsx';
import frameCss from './frame.module.css';

const themeLabels = { system: 'System', light: 'Light', dark: 'Dark' } as const;

/** `end`: the label of the button that leads to another device or app. */
export function Bar({ end, onEnd }: { end: string; onEnd: () => void }) {
  const chosen = useStore(theme);
  return (
    <header className={frameCss.bar}>
      <Mark />
      <b>Mooring</b>
      <span className={frameCss.barEnd}>
        <Segments
          label="Theme"
          options={themes.map(value => ({ value, label: themeLabels[value] }))}
          chosen={chosen}
          onChange={chooseTheme}
        />
        <Button variant="quiet" onClick={onEnd}>
          {end}
        </Button>
      </span>
    </header>
  );
}
