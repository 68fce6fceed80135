import { askedAt, queryClient, reread } from '#console/api.ts';

/** Invalidates what was asked for before a moment (milliseconds since 1970), of all reads or of some paths. */
export function invalidateOlderThan(than: number, isAbout: (path: string) => boolean = () => true): void {
  void reread(query => {
    if (!isAbout(String(query.queryKey[0]))) return false;
    const { dataUpdatedAt } = query.state;
    const times = [askedAt.get(query) ?? dataUpdatedAt, dataUpdatedAt].filter(at => at > 0);
    return times.length > 0 && Math.min(...times) <= than;
  });
}

/** Fetches anew what has the word in its path, also what is being fetched: the answer may be from before. */
export async function refetchReads(word: string): Promise<void> {
  const filters = {
    predicate: ({ queryKey: [path] }: { queryKey: readonly unknown[] }) =>
      String(path).split('/').includes(word),
  };
  await queryClient.cancelQueries(filters);
  await queryClient.invalidateQueries(filters);
}

/** Adds to a read what just happened; and again to an answer that is on its way, as that was asked for before. */
export function addToRead<Data>(queryKey: readonly unknown[], add: (data: Data) => Data): void {
  const put = () => {
    queryClient.setQueryData<Data>(queryKey, data => data && add(data));
  };
  put();
  const [underWay] = queryClient.getQueryCache().findAll({ queryKey, exact: true, fetchStatus: 'fetching' });
  void underWay?.fetch().then(put, () => undefined);
}
