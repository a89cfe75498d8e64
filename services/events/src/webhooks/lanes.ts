/**
 * Runs the items of each lane one after the other, and up to `concurrency` lanes at once. A lane ends when `run` returns false.
 */
export async function runLanes<Item>(
  lanes: readonly (readonly Item[])[],
  concurrency: number,
  run: (item: Item) => Promise<boolean>,
): Promise<void> {
  const waiting = lanes.values();
  const runner = async () => {
    // The runners share the iterator.
    for (const lane of waiting) {
      for (const item of lane) {
        if (!(await run(item))) break;
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, runner));
}
