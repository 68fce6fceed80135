import { userStateWords, waysIn } from '#console/ui/links/personWords.ts';
import type { Filter } from '#console/ui/list/ListScreen.tsx';
import type { PageQuery } from '#console/ui/list/useListState.ts';
import type { QueryOf } from '#contract/endpoint.ts';
import { type listUsers, type UserCounts, userStates } from '#contract/user.ts';
import { numberText } from '#rules/text/numberText.ts';

interface Known {
  counts: UserCounts | undefined;
  /** The sign-in methods of the project. */
  methods: readonly { id: string; label: string }[];
}

/** The filters of the user list, with a count for each state once the counts are known. */
export function userFilters({ counts, methods }: Known): Filter[] {
  return [
    {
      id: 'state',
      label: 'State',
      single: true,
      chips: userStates.map(state => {
        const { tone, word } = userStateWords[state];
        return {
          value: state,
          label: word,
          tone,
          ...(counts && { count: numberText(counts[state]) }),
        };
      }),
    },
    {
      id: 'way',
      label: 'Signs in with',
      noneLabel: 'Any way to sign in',
      options: [...waysIn, ...methods.map(({ id, label }) => ({ value: id, label }))],
    },
  ];
}

/** The query for the server. An address can contain anything; values that are not valid are left out. */
export function userQuery(
  projectId: string,
  page: PageQuery,
  chosen: Record<string, string[]>,
): QueryOf<typeof listUsers> {
  const state = userStates.find(known => known === chosen.state?.[0]);
  const [way] = chosen.way ?? [];
  const isWay = way !== undefined && /^[^\0]{1,64}$/.test(way);
  return { projectId, ...page, ...(state && { state }), ...(isWay && { signsInWith: way }) };
}
