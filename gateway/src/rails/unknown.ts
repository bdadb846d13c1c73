/** Nobody knows what became of it: it may have been carried out, so it is asked about later and never sent again. */
export interface Unknown {
  readonly kind: 'unknown'
  /** Set where the partner gave no answer at all: who stays silent is left alone for a while. */
  readonly unanswered?: boolean
}
