/** Something that falls due as business time passes. */
export interface Sweep {
  readonly name: string
  /** Does up to so many of what is due; answers how many it did. */
  readonly run: (at: Date, limit: number) => Promise<number>
  /** When the next one falls due. Left out where being late changes nothing, because the effect carries its own time. */
  readonly nextDue?: () => Promise<Date | undefined>
}
