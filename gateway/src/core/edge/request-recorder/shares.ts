/** Limits how many items of each owner pass, and counts the items that were held back. */
export interface Shares {
  /**
   * Returns how many items were held back since the last one that passed, or undefined if this one is held back too.
   */
  readonly take: (owner: bigint, hasRoom: () => boolean) => number | undefined
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
   * At most this many owners are remembered. One more replaces the oldest, which then starts with a full quota again.
   */
  readonly ownersMax: number
}

/** Opens quotas that refill over time. `now` returns the time in milliseconds. */
export function openShares({ burst, perSecond, ownersMax }: Bounds, now: () => number): Shares {
  const shares = new Map<bigint, Share>()
  return {
    take: (owner, hasRoom) => {
      const at = now()
      let share = shares.get(owner)
      if (share === undefined) {
        share = { left: burst, filledAt: at, heldBack: 0 }
        const [oldest] = shares.keys()
        if (shares.size >= ownersMax && oldest !== undefined) shares.delete(oldest)
        shares.set(owner, share)
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
