import { Link, type LinkProps } from '@tanstack/react-router';
import type { KeyboardEvent, ReactNode } from 'react';
import { IconButton } from '#console/ui/Button.tsx';
import { MoreIcon } from '#console/ui/icons/icons.tsx';
import css from './Menu.module.css';
import { usePopover } from './usePopover.ts';

export interface MenuItem {
  label: string;
  icon?: ReactNode;
  /** Shown at the right: a shortcut, a check mark. */
  note?: ReactNode;
  danger?: boolean;
  run?: () => void;
  link?: LinkProps;
}

interface MenuProps {
  label: string;
  items: readonly (MenuItem | 'line')[];
  /** Shown above the items. */
  head?: ReactNode;
  /** Replaces the three dots. */
  trigger?: ReactNode;
  triggerClass?: string | undefined;
}

/** A list of items to choose from by pointer, arrow keys or first letter. */
export function Menu({ label, items, head, trigger, triggerClass }: MenuProps) {
  const { open, close, buttonProps, panelProps } = usePopover((list, button) => {
    placeWithoutAnchors(button, list);
    entriesOf(list)[0]?.focus();
  });

  function onKeyDown(event: KeyboardEvent) {
    const entries = entriesOf(panelProps.ref.current);
    const at = entries.indexOf(document.activeElement as HTMLElement);
    const next = nextEntry(event.key, at, entries);
    if (event.key === 'Tab') close();
    if (!next) return;
    event.preventDefault();
    next.focus();
  }

  const popover = { ...buttonProps, 'aria-haspopup': 'menu' } as const;
  return (
    <>
      {trigger ? (
        <button type="button" {...popover} title={label} className={triggerClass}>
          <span className="visuallyHidden">{label} </span>
          {trigger}
        </button>
      ) : (
        <IconButton {...popover} label={label} className={triggerClass}>
          <MoreIcon />
        </IconButton>
      )}
      <div {...panelProps} className={css.menu}>
        {head && <div className={css.head}>{head}</div>}
        {/* Rendered only while open: a hundred rows have a hundred menus. */}
        {open && (
          <div role="menu" aria-label={label} tabIndex={-1} onKeyDown={onKeyDown}>
            {items.map((item, at) =>
              item === 'line' ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines are identified by position
                <hr key={`line${at}`} className={css.line} />
              ) : (
                <Entry key={item.label} item={item} close={close} />
              ),
            )}
          </div>
        )}
      </div>
    </>
  );
}

function Entry({ item, close }: { item: MenuItem; close: () => void }) {
  const inside = (
    <>
      {item.icon && <span className={css.icon}>{item.icon}</span>}
      <span className={css.label}>{item.label}</span>
      {item.note && <span className={css.note}>{item.note}</span>}
    </>
  );
  const same = {
    role: 'menuitem',
    tabIndex: -1,
    className: [css.item, item.danger && css.danger].filter(Boolean).join(' '),
  };
  if (item.link)
    return (
      <Link {...item.link} {...same} onClick={close}>
        {inside}
      </Link>
    );
  return (
    <button
      type="button"
      {...same}
      onClick={() => {
        // Close first, so that a dialog opened by the item returns the focus to the menu's button.
        close();
        item.run?.();
      }}
    >
      {inside}
    </button>
  );
}

function entriesOf(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
}

function nextEntry(key: string, at: number, entries: HTMLElement[]): HTMLElement | undefined {
  if (key === 'ArrowDown') return entries[(at + 1) % entries.length];
  if (key === 'ArrowUp') return entries.at(at <= 0 ? -1 : at - 1);
  if (key === 'Home') return entries[0];
  if (key === 'End') return entries.at(-1);
  if (key.length !== 1 || key === ' ') return undefined;
  const after = [...entries.slice(at + 1), ...entries.slice(0, at + 1)];
  return after.find(entry => entry.textContent.trim().toLowerCase().startsWith(key.toLowerCase()));
}

/** For browsers without anchor positioning, computes the position once, when the menu opens. */
function placeWithoutAnchors(button: HTMLElement, list: HTMLElement): void {
  if (CSS.supports('position-area', 'block-end')) return;
  const from = button.getBoundingClientRect();
  const size = list.getBoundingClientRect();
  const below = from.bottom + 4 + size.height < window.innerHeight;
  list.style.top = `${below ? from.bottom + 4 : Math.max(8, from.top - 4 - size.height)}px`;
  list.style.left = `${Math.max(8, Math.min(from.right - size.width, window.innerWidth - size.width - 8))}px`;
}
