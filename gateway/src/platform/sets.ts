/** Cuts a list into sets of so many at the most, in its order. */
export function* setsOf<Item>(items: readonly Item[], most: number): Generator<readonly Item[]> {
  for (let from = 0; from < items.length; from += most) yield items.slice(from, from + most)
}
