import { type Action, actions } from '#console/core/actions.ts';
import { useStore } from '#console/core/store.ts';
import { Dialog, DialogBody } from '#console/ui/dialog/Dialog.tsx';
import { Checkbox } from '#console/ui/form/Checkbox.tsx';
import { modKey } from './modKey.ts';
import { closeOverlay } from './overlay.ts';
import css from './Shortcuts.module.css';
import { setSingleKeys, singleKeys } from './singleKeys.ts';

const groups = [
  ['screen', 'This screen'],
  ['go', 'Go'],
  ['frame', 'Console'],
] as const;

/** The keyboard shortcuts, and a switch to turn them off. */
export default function Shortcuts() {
  const offered = useStore(actions).filter(({ keys }) => keys);
  const on = useStore(singleKeys);
  const fixed: Action[] = [{ label: 'Search or jump to', keys: `${modKey}K`, group: 'frame', run: () => {} }];
  return (
    <Dialog title="Keyboard shortcuts" onClose={closeOverlay}>
      <DialogBody>
        {groups.map(([group, title]) => {
          const listed = [...(group === 'frame' ? fixed : []), ...offered].filter(
            action => (action.group ?? 'screen') === group,
          );
          if (listed.length === 0) return null;
          return (
            <section key={group}>
              <h3 className={css.title}>{title}</h3>
              <dl className={css.keys}>
                {listed.map(({ label, keys = '' }) => (
                  <div key={label}>
                    <dt>{label}</dt>
                    <dd>
                      {keys.split(' ').map(one => (
                        <kbd key={one}>{one}</kbd>
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          );
        })}
        <Checkbox
          label="Single-letter shortcuts"
          hint="Turn them off if you dictate, or if they fire by accident."
          checked={on}
          onChange={setSingleKeys}
        />
      </DialogBody>
    </Dialog>
  );
}
