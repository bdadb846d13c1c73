// Predicts the rate from the cost of a request.

/** The processor time of one request, in microseconds. */
export interface Cost {
  readonly gateway: number
  readonly postgres: number
  /** The load generator's part, if it runs on the same machine. */
  readonly load: number
}

/** The number of serving processes, and the cores shared with PostgreSQL and the load generator. */
export interface Machine {
  readonly processes: number
  readonly cores: number
}

const MICROSECONDS = 1_000_000

/**
 * Requests per second: limited by the serving processes, each on one core, and by all cores together. It ignores
 * waiting for the disk and for locks, so measured rates are lower; the difference is the cost of waiting.
 */
export function predict({ gateway, postgres, load }: Cost, { processes, cores }: Machine): number {
  const served = (processes * MICROSECONDS) / gateway
  const computed = (cores * MICROSECONDS) / (gateway + postgres + load)
  return Math.min(served, computed)
}

/**
 * How many requests PostgreSQL can take on its own machine with this many cores, and how many gateway processes
 * that needs.
 */
export function predictApart({ gateway, postgres }: Cost, cores: number): { perSecond: number; processes: number } {
  const perSecond = (cores * MICROSECONDS) / postgres
  return { perSecond, processes: Math.ceil((perSecond * gateway) / MICROSECONDS) }
}
