// What the cost of a request says about how many there can be in a second.

/** Processor time of one request, in microseconds. */
export interface Cost {
  readonly gateway: number
  readonly postgres: number
  /** Of who sends the requests, where that is on the same machine. */
  readonly load: number
}

/** Where it runs: so many processes that serve, and the cores that they share with PostgreSQL and with who sends. */
export interface Machine {
  readonly processes: number
  readonly cores: number
}

const MICROSECONDS = 1_000_000

/**
 * So many requests a second: as many as the processes that serve can do, each of which computes on one core; and no more
 * than all cores can, which everybody shares. It knows nothing of waiting, for the disk or for each other, so what is
 * measured is less; how much less is what waiting costs.
 */
export function predict({ gateway, postgres, load }: Cost, { processes, cores }: Machine): number {
  const served = (processes * MICROSECONDS) / gateway
  const computed = (cores * MICROSECONDS) / (gateway + postgres + load)
  return Math.min(served, computed)
}

/** How many a PostgreSQL with so many cores can take when gateways are elsewhere, and how many processes that needs. */
export function predictApart({ gateway, postgres }: Cost, cores: number): { perSecond: number; processes: number } {
  const perSecond = (cores * MICROSECONDS) / postgres
  return { perSecond, processes: Math.ceil((perSecond * gateway) / MICROSECONDS) }
}
