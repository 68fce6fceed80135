import { askedAt, queryClient, reread } from '#console/core/client.ts';

/**
 * Invalidates the reads that were requested before a time (milliseconds since 1970), all of them or those of some
 * paths.
 */
export function invalidateOlderThan(than: number, isAbout: (path: string) => boolean = () => true): void {
  void reread(query => {
    if (!isAbout(String(query.queryKey[0]))) return false;
    const { dataUpdatedAt } = query.state;
    const times = [askedAt.get(query) ?? dataUpdatedAt, dataUpdatedAt].filter(at => at > 0);
    return times.length > 0 && Math.min(...times) <= than;
  });
}

/** Adds what just happened to a read, and again to a response in flight, which was requested before. */
export function addToRead<Data>(queryKey: readonly unknown[], add: (data: Data) => Data): void {
  const put = () => {
    queryClient.setQueryData<Data>(queryKey, data => data && add(data));
  };
  put();
  const [underWay] = queryClient.getQueryCache().findAll({ queryKey, exact: true, fetchStatus: 'fetching' });
  void underWay?.fetch().then(put, () => undefined);
}
