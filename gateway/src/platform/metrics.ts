import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Lane, LaneOptions } from './lanes.ts'
import { lane } from './lanes.ts'

/** What this process measures, for Prometheus. */
export interface Metrics {
  readonly text: () => Promise<string>
  readonly contentType: string
  readonly request: (method: string, path: string, status: number, seconds: number) => void
  readonly delivery: (outcome: 'delivered' | 'failed') => void
  /** A browser told that a page tried what its policy forbids, by the directive that does. */
  readonly policyReport: (directive: string) => void
  /** What a partner said of an order, by what it was for. */
  readonly partnerAnswer: (purpose: string, answer: string) => void
  /** What a partner answered to a question, and how long that took. */
  readonly partnerAsked: (partner: string, operation: string, answer: string, seconds: number) => void
  /** A card that was not charged because too many like it were declined, by what it has in common with them. */
  readonly heldCharge: (scope: string) => void
  /** Something that is looked up whenever somebody asks for the measurements: values by one label. */
  readonly gauge: (
    name: string,
    help: string,
    label: string,
    read: () => Promise<Iterable<readonly [string, number]>>,
  ) => void
  /** Opens a lane whose depth and sets are measured. */
  readonly lane: <Request, Answer>(options: LaneOptions<Request, Answer>) => Lane<Request, Answer>
  readonly lanes: () => readonly Lane<never, unknown>[]
}

let ofProcess: Registry | undefined

/** Memory, garbage collection and the like: of the process, so measured once, however many gateways run in it. */
function processMetrics(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess })
  }
  return ofProcess
}

/** What is counted and timed. */
function openMeters(registers: Registry[]) {
  const requests = new Histogram({
    name: 'kobo_http_request_seconds',
    help: 'Time to answer a request',
    labelNames: ['method', 'path', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  })
  const deliveries = new Counter({
    name: 'kobo_event_attempts_total',
    help: 'Tries to deliver an event',
    labelNames: ['outcome'],
    registers,
  })
  const policyReports = new Counter({
    name: 'kobo_csp_reports_total',
    help: 'What browsers told that pages tried and their Content-Security-Policy forbids',
    labelNames: ['directive'],
    registers,
  })
  const partnerAnswers = new Counter({
    name: 'kobo_order_answers_total',
    help: 'What partners said of orders',
    labelNames: ['purpose', 'answer'],
    registers,
  })
  const partnerTimes = new Histogram({
    name: 'kobo_partner_answer_seconds',
    help: 'Time that partners take to answer a question',
    labelNames: ['partner', 'operation', 'answer'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25],
    registers,
  })
  const heldCharges = new Counter({
    name: 'kobo_card_charges_held_total',
    help: 'Cards that were not charged because too many like them were declined',
    labelNames: ['scope'],
    registers,
  })
  const sets = new Histogram({
    name: 'kobo_lane_set_size',
    help: 'Requests carried out by one commit',
    labelNames: ['lane'],
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers,
  })
  return { requests, deliveries, policyReports, partnerAnswers, partnerTimes, heldCharges, sets }
}

export function openMetrics(): Metrics {
  const shared = processMetrics()
  const registry = new Registry()
  const registers = [registry]
  const { requests, deliveries, policyReports, partnerAnswers, partnerTimes, heldCharges, sets } = openMeters(registers)
  // Looking a label up by its text is cheaper than having the library hash it at every request.
  const timers = new Map<string, ReturnType<typeof requests.labels>>()
  const lanes: Lane<never, unknown>[] = []
  new Gauge({
    name: 'kobo_lane_depth',
    help: 'Requests that wait in a lane or are under way',
    labelNames: ['lane'],
    registers,
    collect() {
      for (const { lane: name, depth } of lanes) this.set({ lane: name }, depth())
    },
  })

  return {
    text: async () => (await shared.metrics()) + (await registry.metrics()),
    contentType: registry.contentType,
    request: (method, path, status, seconds) => {
      const key = `${method} ${path} ${status}`
      const known = timers.get(key) ?? requests.labels(method, path, String(status))
      timers.set(key, known)
      known.observe(seconds)
    },
    delivery: (outcome) => deliveries.inc({ outcome }),
    policyReport: (directive) => policyReports.inc({ directive }),
    partnerAnswer: (purpose, answer) => partnerAnswers.inc({ purpose, answer }),
    partnerAsked: (partner, operation, answer, seconds) =>
      partnerTimes.observe({ partner, operation, answer }, seconds),
    heldCharge: (scope) => heldCharges.inc({ scope }),
    gauge: (name, help, label, read) => {
      new Gauge({
        name,
        help,
        labelNames: [label],
        registers,
        async collect() {
          this.reset()
          for (const [value, count] of await read()) this.set({ [label]: value }, count)
        },
      })
    },
    lane: (options) => {
      const size = sets.labels(options.name)
      const opened = lane({ ...options, onSet: (n) => size.observe(n) })
      lanes.push(opened as Lane<never, unknown>)
      return opened
    },
    lanes: () => lanes,
  }
}
