/** Says of each thing that comes for somebody whether it is let through, and how many before it were not. */
export interface Shares {
  /**
   * The number that was held back since the last that was let through; undefined where this one is held back too, as all are
   * where there is no room.
   */
  readonly take: (whose: bigint, hasRoom: () => boolean) => number | undefined
}

interface Share {
  left: number
  filledAt: number
  heldBack: number
}

interface Bounds {
  /** So many at once. */
  readonly burst: number
  readonly perSecond: number
  /** For so many a share is remembered; whoever came first is forgotten first, and has a full one again. */
  readonly ownersMax: number
}

/** Shares that fill up again with time, by a clock in milliseconds. */
export function openShares({ burst, perSecond, ownersMax }: Bounds, now: () => number): Shares {
  const shares = new Map<bigint, Share>()
  return {
    take: (whose, hasRoom) => {
      const at = now()
      let share = shares.get(whose)
      if (share === undefined) {
        share = { left: burst, filledAt: at, heldBack: 0 }
        const [oldest] = shares.keys()
        if (shares.size >= ownersMax && oldest !== undefined) shares.delete(oldest)
        shares.set(whose, share)
      }
      if (share.left < 1) {
        share.left = Math.min(burst, share.left + ((at - share.filledAt) / 1_000) * perSecond)
        share.filledAt = at
      }
      if (share.left < 1 || !hasRoom()) {
        share.heldBack++
        return undefined
      }
      share.left--
      const { heldBack } = share
      share.heldBack = 0
      return heldBack
    },
  }
}
