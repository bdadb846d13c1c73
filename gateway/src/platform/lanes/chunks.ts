/** Splits an iterable into chunks of at most `most`, lazily and in order. */
export function* chunksOf<Item>(items: Iterable<Item>, most: number): Generator<readonly Item[]> {
  let set: Item[] = []
  for (const item of items) {
    set.push(item)
    if (set.length < most) continue
    yield set
    set = []
  }
  if (set.length > 0) yield set
}
