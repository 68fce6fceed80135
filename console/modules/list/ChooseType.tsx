import { Link } from '@tanstack/react-router';
import { useRead } from '#console/core/api.ts';
import { examples } from '#console/modules/examples.ts';
import { typeWords } from '#console/modules/moduleTypes.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { listSmartModuleTypes } from '#contract/smartModule.ts';
import css from './list.module.css';

/** The module types, each with its purpose, and examples that are already filled in. */
export function ChooseType({ projectId }: { projectId: string }) {
  const read = useRead(listSmartModuleTypes, { params: { projectId } });
  const { data: types } = read;
  if (!types)
    return <ReadState read={read} what="The types" skeleton={<Skeleton shape="cards" lines={6} />} />;
  const offered = examples.filter(({ moduleType }) => types.some(({ id }) => id === moduleType));
  const to = { to: '/projects/$projectId/smart_modules', params: { projectId } } as const;
  return (
    <>
      {offered.length > 0 && (
        <section aria-label="Examples">
          <h3 className={css.heading}>Start from an example</h3>
          <ul className={css.examples}>
            {offered.map(({ id, title, says, moduleType }) => {
              const { icon: Icon } = typeWords[moduleType];
              return (
                <li key={id}>
                  <Link {...to} search={{ new: moduleType, example: id } as never} className={css.example}>
                    <span>
                      <Icon size={20} />
                    </span>
                    <b>{title}</b>
                    <p className={css.says}>{says}</p>
                  </Link>
                </li>
              );
            })}
          </ul>
        </section>
      )}
      <section aria-label="Types">
        <h3 className={css.heading}>{offered.length > 0 ? 'Or from an empty form' : 'Choose a type'}</h3>
        <ul className={css.cards}>
          {types.map(({ id, name, summary }) => {
            const { icon: Icon } = typeWords[id];
            return (
              <li key={id}>
                <Link {...to} search={{ new: id } as never} className={css.card}>
                  <span>
                    <Icon size={20} />
                  </span>
                  <b>{name}</b>
                  <p className={css.says}>{summary}</p>
                </Link>
              </li>
            );
          })}
        </ul>
      </section>
    </>
  );
}
