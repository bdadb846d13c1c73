/** Limits how many items of each owner pass, and counts those that were held back. */
export interface Shares {
  /**
   * Returns how many items were held back since the last one that passed, or undefined if this one is held back too.
   */
  readonly take: (whose: bigint, hasRoom: () => boolean) => number | undefined
}

interface Share {
  left: number
  filledAt: number
  heldBack: number
}

interface Bounds {
  readonly burst: number
  readonly perSecond: number
  /**
   * The most owners that are remembered. Beyond that, the oldest one is forgotten and starts with a full quota again.
   */
  readonly ownersMax: number
}

/** Quotas that refill over time, by a clock in milliseconds. */
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
