/** Cuts what can be walked into sets of so many at the most, in its order; no further than it is asked for. */
export function* setsOf<Item>(items: Iterable<Item>, most: number): Generator<readonly Item[]> {
  let set: Item[] = []
  for (const item of items) {
    set.push(item)
    if (set.length < most) continue
    yield set
    set = []
  }
  if (set.length > 0) yield set
}
