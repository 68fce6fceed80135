import { useState } from 'react';
import { useConfig, useConfigField } from '#console/modules/config/ConfigContext.ts';
import { cardSummary } from '#console/modules/config/cardSummary.ts';
import { initialOf, isObject, kindsOf, resolved, type Schema } from '#console/modules/config/configSchema.ts';
import type { Path } from '#console/modules/config/pointers.ts';
import { Button, buttonClass } from '#console/ui/Button.tsx';
import { Menu } from '#console/ui/dialog/Menu.tsx';
import { ChevronDownIcon, ChevronRightIcon, PlusIcon } from '#console/ui/icons/icons.tsx';
import { ConfigFields } from './ConfigFields.tsx';
import css from './controls.module.css';

interface CardsProps {
  schema: Schema;
  path: Path;
  /** "action" */
  noun: string;
}

/** A list of objects: each is summed up on one line, opens for editing, and is moved by its menu. */
export function Cards({ schema, path, noun }: CardsProps) {
  const { value, set, fault } = useConfigField(path);
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  const [open, setOpen] = useState<number>();
  const isFull = list.length >= (schema.maxItems ?? Number.POSITIVE_INFINITY);
  function add(item: unknown) {
    set([...list, item]);
    setOpen(list.length);
  }
  function move(from: number, to: number) {
    const others = list.toSpliced(from, 1);
    set(others.toSpliced(to, 0, list[from]));
    setOpen(open === from ? to : undefined);
  }
  function remove(at: number) {
    set(list.toSpliced(at, 1));
    setOpen(undefined);
  }
  return (
    <div className={css.cards}>
      <ol>
        {list.map((item, at) => (
          <Card
            // biome-ignore lint/suspicious/noArrayIndexKey: cards are identified by position
            key={at}
            schema={schema.items ?? {}}
            path={[...path, at]}
            noun={noun}
            item={item}
            isOpen={open === at}
            onToggle={() => setOpen(open === at ? undefined : at)}
            {...(at > 0 && { onUp: () => move(at, at - 1) })}
            {...(at < list.length - 1 && { onDown: () => move(at, at + 1) })}
            onRemove={() => remove(at)}
          />
        ))}
      </ol>
      {fault && <p className={css.fault}>{fault}</p>}
      {!isFull && <AddCard schema={schema} noun={noun} onAdd={add} />}
    </div>
  );
}

interface CardProps extends CardsProps {
  item: unknown;
  isOpen: boolean;
  onToggle: () => void;
  onUp?: () => void;
  onDown?: () => void;
  onRemove: () => void;
}

function Card({ schema, path, noun, item, isOpen, onToggle, onUp, onDown, onRemove }: CardProps) {
  const { defs, faultsAt } = useConfig();
  const union = kindsOf(schema, defs);
  const kind = union?.kinds.find(one => isObject(item) && one.value === item[union.property]);
  const shape = kind?.schema ?? resolved(schema, defs);
  const number = Number(path.at(-1)) + 1;
  const faults = faultsAt(path, true);
  const own = faultsAt(path);
  return (
    <li className={css.card} data-invalid={faults.length > 0 || undefined}>
      <div className={css.cardHead}>
        <button type="button" className={css.cardName} aria-expanded={isOpen} onClick={onToggle}>
          <i>{number}</i>
          <b>{kind?.label ?? `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`}</b>
          <span dir="auto">{!isOpen && cardSummary(shape, item)}</span>
          {isOpen ? <ChevronDownIcon size={14} /> : <ChevronRightIcon size={14} />}
        </button>
        <Menu
          label={`More for ${noun} ${number}`}
          items={[
            ...(onUp ? [{ label: 'Move up', run: onUp }] : []),
            ...(onDown ? [{ label: 'Move down', run: onDown }] : []),
            { label: `Remove ${noun}`, danger: true, run: onRemove },
          ]}
        />
      </div>
      {!isOpen && faults.length > 0 && <p className={css.fault}>{faults[0]?.message}</p>}
      {isOpen && (
        <div className={css.cardBody}>
          {own.map(({ message }) => (
            <p key={message} className={css.fault}>
              {message}
            </p>
          ))}
          <ConfigFields schema={shape} path={path} />
        </div>
      )}
    </li>
  );
}

interface AddCardProps {
  schema: Schema;
  noun: string;
  onAdd: (item: unknown) => void;
}

/** Offers a choice of kind if there are several. */
function AddCard({ schema, noun, onAdd }: AddCardProps) {
  const { defs } = useConfig();
  const items = schema.items ?? {};
  const kinds = kindsOf(items, defs)?.kinds;
  if (!kinds)
    return (
      <Button variant="quiet" icon={<PlusIcon />} onClick={() => onAdd(initialOf(items, defs))}>
        Add {noun}
      </Button>
    );
  return (
    <span>
      <Menu
        label={`Add ${noun}`}
        trigger={
          <span aria-hidden="true" className={css.add}>
            <PlusIcon /> Add {noun}
          </span>
        }
        triggerClass={buttonClass('quiet')}
        items={kinds.map(({ label, schema: kind }) => ({
          label,
          run: () => onAdd(initialOf(kind, defs)),
        }))}
      />
    </span>
  );
}
