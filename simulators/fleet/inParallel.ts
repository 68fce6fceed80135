const workers = 16;

/** Processes several items at a time; results keep their order. */
export async function inParallel<In, Out>(
  items: readonly In[],
  work: (item: In) => Promise<Out>,
): Promise<Out[]> {
  const done: Out[] = [];
  const entries = items.entries();
  const worker = async () => {
    for (const [at, item] of entries) done[at] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(workers, items.length) }, worker));
  return done;
}
