/** Chance that follows from a seed: the same each time. */
export interface Chance {
  /** From 0 up to 1, without it. */
  readonly part: () => number
  /** A whole number from one up to another, both included. */
  readonly between: (least: number, most: number) => number
  readonly isTrue: (probability: number) => boolean
  readonly of: <Item>(items: readonly [Item, ...Item[]]) => Item
  readonly digits: (count: number) => string
}

/** Numbers of 32 bits that look random: "mulberry32", small and good enough for a made-up history. */
export function chanceOf(seed: number): Chance {
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
