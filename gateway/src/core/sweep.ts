/** Something that falls due as business time passes. */
export interface Sweep {
  readonly name: string
  /** Does up to so many of what is due; answers how many it did. */
  readonly run: (at: Date, limit: number) => Promise<number>
  /** When the next one falls due. Left out where being late changes nothing, because the effect carries its own time. */
  readonly nextDue?: () => Promise<Date | undefined>
  /** How often to look, where that need not be each second: nobody waits for what is forgotten. */
  readonly everySeconds?: number
}

/** How often to look for what is to be forgotten. */
export const FORGETTING_SECONDS = 60
