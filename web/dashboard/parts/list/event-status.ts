interface Sent {
  readonly status: string
  readonly attempts: number
}

/** The status to show: an event that is still pending after an attempt is being retried. */
export const eventStatusOf = ({ status, attempts }: Sent): string =>
  status === 'PENDING' && attempts > 0 ? 'RETRYING' : status
