import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'
import { monotonic } from '../kernel/clock.ts'
import type { Lane, LaneOptions } from './lanes.ts'
import { lane } from './lanes.ts'

/** What was measured, by name: as one process tells another. */
export type Measurements = readonly MetricObjectWithValues<MetricValue<string>>[]

/** Values by one label. */
type ReadValues = () => Promise<Iterable<readonly [string, number]>>

/** What this process measures, for Prometheus. */
export interface Metrics {
  /** All that this process knows, as text. */
  readonly text: () => Promise<string>
  readonly contentType: string
  /** What this process alone knows. */
  readonly ofProcess: () => Promise<Measurements>
  /** What is the same whichever process is asked. */
  readonly ofAll: () => Promise<Measurements>
  /** Makes what measures the requests of a path. */
  readonly requests: (path: string) => (method: string, status: number, seconds: number) => void
  /** A try to deliver an event, and how old the event was by then. */
  readonly delivery: (outcome: 'delivered' | 'failed', ageSeconds: number) => void
  /** How payments have ended, or come further, since the start: kept by who commits them, read when somebody asks. */
  readonly payments: (read: () => Iterable<readonly [method: string, status: string, count: number]>) => void
  /** A browser told that a page tried what its policy forbids, by the directive that does. */
  readonly policyReport: (directive: string) => void
  /** What a partner said of an order, by what it was for. */
  readonly partnerAnswer: (purpose: string, answer: string) => void
  /** What a partner answered to a question, and how long that took. */
  readonly partnerAsked: (partner: string, operation: string, answer: string, seconds: number) => void
  /** What became of spans of traces. */
  readonly spans: (outcome: 'exported' | 'dropped', count: number) => void
  /** A card that was not charged because too many like it were declined, by what it has in common with them. */
  readonly heldCharge: (scope: string) => void
  /** Something of this process that is looked up whenever somebody asks for the measurements. */
  readonly gauge: (name: string, help: string, label: string, read: ReadValues) => void
  /** The same of what all processes share, as the database: one of them is asked. */
  readonly sharedGauge: (name: string, help: string, label: string, read: ReadValues) => void
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
  const deliveryAges = new Histogram({
    name: 'kobo_event_age_seconds',
    help: 'How old events are when they are delivered',
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 300, 3_600, 21_600, 86_400],
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
  const spans = new Counter({
    name: 'kobo_trace_spans_total',
    help: 'Spans of traces that a collector took, and that were dropped',
    labelNames: ['outcome'],
    registers,
  })
  return {
    spans,
    requests,
    deliveries,
    deliveryAges,
    policyReports,
    partnerAnswers,
    partnerTimes,
    heldCharges,
  }
}

/** What is measured of each lane. */
function openLaneMeters(registers: Registry[]) {
  const sets = new Histogram({
    name: 'kobo_lane_set_size',
    help: 'Requests carried out by one commit',
    labelNames: ['lane'],
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers,
  })
  const setTimes = new Histogram({
    name: 'kobo_lane_set_seconds',
    help: 'Time to carry out one set of a lane, its commit included',
    labelNames: ['lane'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers,
  })
  return { sets, setTimes }
}

/** How long a look at something may take: who asks waits no longer, and gets the rest. */
const READ_MILLISECONDS_MAX = 3_000

/** Makes gauges that are read when somebody asks. What cannot be read is left out and counted; all else is still told. */
function openGauges(registry: Registry) {
  const failures = new Counter({
    name: 'kobo_gauge_failures_total',
    help: 'Looks at something to be measured that failed, or took too long',
    labelNames: ['gauge'],
    registers: [registry],
  })
  return (registers: Registry[]) => (name: string, help: string, label: string, read: ReadValues) => {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers,
      async collect() {
        this.reset()
        const values = await inTime(read()).catch(() => undefined)
        if (values === undefined) failures.inc({ gauge: name })
        else for (const [value, count] of values) this.set({ [label]: value }, count)
      },
    })
  }
}

function inTime<T>(reading: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<T>()
  const timer = setTimeout(() => reject(new Error('That took too long')), READ_MILLISECONDS_MAX)
  return Promise.race([reading, promise]).finally(() => clearTimeout(timer))
}

/** Counts payments that others have counted already. */
function paymentCounter(registers: Registry[], read: Parameters<Metrics['payments']>[0]): void {
  new Counter({
    name: 'kobo_payments_total',
    help: 'Payments that were kept, sent back, declined, or ended without money',
    labelNames: ['method', 'status'],
    registers,
    collect() {
      this.reset()
      for (const [method, status, count] of read()) this.inc({ method, status }, count)
    },
  })
}

export function openMetrics(): Metrics {
  const running = processMetrics()
  const registry = new Registry()
  const shared = new Registry()
  const registers = [registry]
  const { requests, deliveries, deliveryAges, policyReports, partnerAnswers, partnerTimes, heldCharges, spans } =
    openMeters(registers)
  const { sets, setTimes } = openLaneMeters(registers)
  const gauges = openGauges(registry)
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
    text: async () => (await Promise.all([running, shared, registry].map((one) => one.metrics()))).join(''),
    contentType: registry.contentType,
    ofProcess: async () => (await Promise.all([running, registry].map((one) => one.getMetricsAsJSON()))).flat(),
    ofAll: () => shared.getMetricsAsJSON(),
    requests: (path) => {
      // Looking a label up by a short text is cheaper than having the library hash it at every request.
      const timers = new Map<string, ReturnType<typeof requests.labels>>()
      return (method, status, seconds) => {
        const key = `${method} ${status}`
        let timer = timers.get(key)
        if (timer === undefined) {
          timer = requests.labels(method, path, String(status))
          timers.set(key, timer)
        }
        timer.observe(seconds)
      }
    },
    delivery: (outcome, ageSeconds) => {
      deliveries.inc({ outcome })
      if (outcome === 'delivered') deliveryAges.observe(ageSeconds)
    },
    payments: (read) => paymentCounter(registers, read),
    policyReport: (directive) => policyReports.inc({ directive }),
    partnerAnswer: (purpose, answer) => partnerAnswers.inc({ purpose, answer }),
    partnerAsked: (partner, operation, answer, seconds) =>
      partnerTimes.observe({ partner, operation, answer }, seconds),
    spans: (outcome, count) => spans.inc({ outcome }, count),
    heldCharge: (scope) => heldCharges.inc({ scope }),
    gauge: gauges(registers),
    sharedGauge: gauges([shared]),
    lane: (options) => {
      const size = sets.labels(options.name)
      const time = setTimes.labels(options.name)
      const run: typeof options.run = (requests) => {
        const began = monotonic()
        return options.run(requests).finally(() => time.observe((monotonic() - began) / 1_000))
      }
      const opened = lane({ ...options, run, onSet: (n) => size.observe(n) })
      lanes.push(opened as Lane<never, unknown>)
      return opened
    },
    lanes: () => lanes,
  }
}
