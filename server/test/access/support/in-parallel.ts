/** Does something with each of many things, a few at a time. */
export async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items.values();
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const item of waiting) await work(item);
    }),
  );
}
