/** The outcome is unknown: it may have been done, so it is queried later and never sent again. */
export interface Unknown {
  readonly kind: 'unknown'
  /** Set if there was no response at all: a silent partner is paused for a while. */
  readonly unanswered?: boolean
  /** A report that contradicts the order, so that it needs manual review at once. */
  readonly contradiction?: string
}

/** The contradiction in a response, if any. */
export const contradictionIn = (response: object): string | undefined => (response as Partial<Unknown>).contradiction
