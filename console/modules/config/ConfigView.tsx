import { Facts, Panel } from '#console/ui/screen/Panel.tsx';
import type { ModuleConfigDoc } from '#contract/moduleConfig.ts';
import { cardSummary, valueText } from './cardSummary.ts';
import { isObject, isShown, type Json, kindsOf, resolved, type Schema, titleOf } from './configSchema.ts';
import { pointerOf } from './pointers.ts';
import css from './view.module.css';

/** A read-only configuration, with secrets masked. */
export function ConfigView({ doc }: { doc: ModuleConfigDoc }) {
  return (
    <Panel title="Configuration">
      <Facts facts={configFacts(doc)} />
    </Panel>
  );
}

/** The properties that have a value, each by its title. */
export function configFacts({ schema, values, secrets }: ModuleConfigDoc) {
  const { properties = {}, $defs } = schema as Schema;
  return Object.entries(properties).flatMap(([name, given]): (readonly [string, React.ReactNode])[] => {
    const property = resolved(given, $defs);
    if (!isShown(property, values)) return [];
    const title = titleOf(property, name);
    const secret = secrets[pointerOf([name])];
    if (secret !== undefined) return [[title, <code key={name}>Set, {secret}</code>]];
    const value = values[name];
    const shown = shownValue(property, value, $defs);
    return shown === '' ? [] : [[title, shown]];
  });
}

function shownValue(schema: Schema, value: unknown, defs: Schema['$defs']): React.ReactNode {
  if (Array.isArray(value) && value.some(isObject)) {
    const items = resolved(schema.items ?? {}, defs);
    const union = kindsOf(items, defs);
    return (
      <ol className={css.list}>
        {value.map((item, at) => {
          const kind = union?.kinds.find(one => isObject(item) && item[union.property] === one.value);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: items are identified by position
            <li key={at} dir="auto">
              {kind && <b>{kind.label} </b>}
              {cardSummary(kind?.schema ?? items, item)}
            </li>
          );
        })}
      </ol>
    );
  }
  const kind = isObject(value) ? kindOf(schema, value, defs) : undefined;
  if (kind)
    return (
      <span dir="auto">
        {kind.label}: {cardSummary(kind.schema, value)}
      </span>
    );
  if (isObject(value) && schema.properties) return cardSummary(schema, value);
  const text = valueText(schema, value);
  if (text === '') return '';
  const isMono = ['condition', 'cron', 'url', 'json', 'template'].includes(schema.ui?.control ?? '');
  return isMono ? <code>{text}</code> : <span dir="auto">{text}</span>;
}

function kindOf(schema: Schema, value: Json, defs: Schema['$defs']) {
  const union = kindsOf(schema, defs);
  return union?.kinds.find(one => one.value === value[union.property]);
}
