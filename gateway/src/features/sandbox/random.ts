/** Seeded random numbers: the same seed gives the same numbers. */
export interface Random {
  /** From 0 to 1, excluding 1. */
  readonly part: () => number
  /** A whole number within a range, both ends included. */
  readonly between: (least: number, most: number) => number
  readonly isTrue: (probability: number) => boolean
  readonly of: <Item>(items: readonly [Item, ...Item[]]) => Item
  readonly digits: (count: number) => string
}

/** Generates 32-bit pseudo-random numbers by "mulberry32", which is good enough for a simulated history. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const part = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number): number => least + Math.floor(part() * (most - least + 1))
  return {
    part,
    between,
    isTrue: (probability) => part() < probability,
    of: (items) => items[between(0, items.length - 1)] ?? items[0],
    digits: (count) => Array.from({ length: count }, () => between(0, 9)).join(''),
  }
}
