/** An event that this process may send now. */
export interface LeasedEvent {
  readonly merchantId: bigint
  readonly id: bigint
  /** The kind of the event, or the id of the additional endpoint. */
  readonly kind: string
  readonly body: string
  readonly attempts: number
  readonly resent: boolean
  readonly leasedUntil: Date
  /** The kind or id of the endpoint that receives the event; null if the merchant has none for it. */
  readonly endpointKind: string | null
  readonly url: string | null
}

/** Sends events from memory, right after the transaction that wrote them. */
export interface EventSender {
  readonly leaseSeconds: number
  /** Returns for each event whether it can be sent at once; if not, it is sent later, from its table. */
  readonly choose: (events: readonly Pick<LeasedEvent, 'merchantId' | 'kind'>[]) => readonly boolean[]
  /** Sends committed events. `chosenAt` is the monotonic time at which `choose` returned them. */
  readonly send: (events: readonly LeasedEvent[], chosenAt: number) => void
}
