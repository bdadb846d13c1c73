/** The outcome is unknown. The partner may have executed the order, so we query the order and never send it again. */
export interface Unknown {
  readonly kind: 'unknown'
  /** Set if there was no response at all. A partner that does not respond is paused for a while. */
  readonly unanswered?: boolean
  /** How the partner's report contradicts the order. The order then needs manual review at once. */
  readonly contradiction?: string
}

export const contradictionIn = (response: object): string | undefined => (response as Partial<Unknown>).contradiction
