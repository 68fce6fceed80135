import { useEffect, useRef } from 'react';
import { shared } from '#console/core/clientStorage.ts';
import { session } from '#console/core/session.ts';
import { useStore } from '#console/core/store.ts';
import { isObject } from '#console/modules/config/configSchema.ts';
import { useRuleNames } from '#console/modules/controls/useRuleNames.ts';
import { examples } from '#console/modules/examples.ts';
import { propertyLike } from './propertyLike.ts';
import { initialValues, type NewModuleProps, type NewValues, useNewModule } from './useNewModule.ts';

/** Devices that report something are what most rules are about. */
const fresh: Partial<NewValues> = { subscribedEvents: '_state_', configData: { condition: '' } };

/** The form of a new rule, which is kept in the browser until the rule is created. */
export function useRuleDraft(props: NewModuleProps) {
  const { projectId, doc, given } = props;
  const developer = useStore(session)?.developer;
  const { numbers } = useRuleNames(projectId, []);
  const key = `ruleDraft ${developer?.id ?? ''} ${projectId}`;
  const first = useRef<Partial<NewValues>>(undefined);
  first.current ??= given ?? readDraft(key) ?? fresh;
  const isCreated = useRef(false);
  const { form, config } = useNewModule({ ...props, given: first.current }, () => {
    isCreated.current = true;
    shared.remove(key);
  });
  const { values } = form;
  const blank = JSON.stringify(initialValues(doc, fresh));
  const isBegun = JSON.stringify({ ...values, id: '', suspended: false }) !== blank;
  useEffect(() => {
    if (isCreated.current) return;
    if (isBegun) shared.write(key, JSON.stringify(withoutSecrets(values)));
    // All was taken back: what it was before does not return either.
    else shared.remove(key);
  }, [key, isBegun, values]);
  const show = (next: Partial<NewValues>) => {
    const all = initialValues(doc, next);
    for (const [name, value] of Object.entries(all)) form.set(name as keyof NewValues, value);
  };
  return {
    form,
    config,
    /** Something was chosen or typed. */
    isBegun,
    /** Suggested by an example. */
    name: values.id === '' ? '' : nameLike(values.id),
    startOver() {
      shared.remove(key);
      show(fresh);
    },
    startFrom(id: string) {
      const example = examples.find(one => one.id === id);
      const email = developer?.email ?? '';
      if (example)
        show({ ...example.values({ email, property: propertyLike(numbers) }), id: example.moduleId });
    },
  };
}

/** Secrets are kept nowhere but at the server. */
function withoutSecrets({ configData: { signingSecret: _, ...configData }, ...values }: NewValues) {
  return { ...values, configData };
}

/** Undefined if there is none, or it is of an older console. */
function readDraft(key: string): Partial<NewValues> | undefined {
  try {
    const value: unknown = JSON.parse(shared.read(key) ?? 'null');
    if (!isObject(value) || !isObject(value.configData) || !Array.isArray(value.deviceClasses))
      return undefined;
    return typeof value.subscribedEvents === 'string' ? (value as Partial<NewValues>) : undefined;
  } catch {
    return undefined;
  }
}

/** "too-warm" → "Too warm" */
const nameLike = (id: string) => `${id.charAt(0).toUpperCase()}${id.slice(1).replaceAll('-', ' ')}`;
