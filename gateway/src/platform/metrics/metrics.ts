import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'
import { monotonic } from '../../kernel/clock.ts'
import type { Lane, LaneOptions } from '../lanes/lane.ts'
import { lane } from '../lanes/lane.ts'

/** Metrics by name, as sent between processes. */
export type Measurements = readonly MetricObjectWithValues<MetricValue<string>>[]

/** Values by the value of one label. */
type Values = Iterable<readonly [string, number]>
type ReadValues = () => Promise<Values>

/** This process's Prometheus metrics. */
export interface Metrics {
  /** The metrics of this process and the shared ones, in Prometheus text format. */
  readonly text: () => Promise<string>
  readonly contentType: string
  /** The metrics of this process only. */
  readonly ofProcess: () => Promise<Measurements>
  /** The shared metrics, which are the same in every process. */
  readonly ofAll: () => Promise<Measurements>
  /** Creates the function that measures the requests of a path. */
  readonly requests: (path: string) => (method: string, status: number, seconds: number) => void
  /** Counts a delivery attempt and records the event's age. */
  readonly delivery: (outcome: 'delivered' | 'failed', ageSeconds: number) => void
  /** Payments by method and status since the start, read on demand. */
  readonly payments: (read: () => Iterable<readonly [method: string, status: string, count: number]>) => void
  /** Counts a content security policy violation reported by a browser. */
  readonly policyReport: (directive: string) => void
  /** Counts a partner's response to an order, by purpose. */
  readonly partnerResponse: (purpose: string, response: string) => void
  /** Records a partner's response and its duration. */
  readonly partnerRequest: (partner: string, operation: string, response: string, seconds: number) => void
  /** Counts an email that the mail server accepted or did not. */
  readonly mail: (outcome: 'sent' | 'failed') => void
  /** Counts exported and dropped spans. */
  readonly spans: (outcome: 'exported' | 'dropped', count: number) => void
  /** Counts a partner's report about an account or order of another partner. */
  readonly partnerViolation: (partner: string, operation: string) => void
  /** Counts a card charge that the card-testing guard blocked, by the property that it shares with declined charges. */
  readonly heldCharge: (scope: string) => void
  /**
   * A gauge of a value in this process's memory. It is read before other gauges query the database, because those
   * queries would change it.
   */
  readonly instantGauge: (name: string, help: string, label: string, read: () => Values) => void
  /** A gauge of this process, read on demand. */
  readonly gauge: (name: string, help: string, label: string, read: ReadValues) => void
  /** A gauge shared by all processes, such as the database's: one process reads it. */
  readonly sharedGauge: (name: string, help: string, label: string, read: ReadValues) => void
  /** Opens a lane whose depth and batches are measured. */
  readonly lane: <Request, Result>(options: LaneOptions<Request, Result>) => Lane<Request, Result>
  readonly lanes: () => readonly Lane<never, unknown>[]
}

let ofProcess: Registry | undefined

/** Memory, garbage collection and so on, once per process however many gateways run in it. */
function processMetrics(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess })
  }
  return ofProcess
}

function openMeters(registers: Registry[]) {
  const requests = new Histogram({
    name: 'kobo_http_request_seconds',
    help: 'Request duration',
    labelNames: ['method', 'path', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  })
  const deliveries = new Counter({
    name: 'kobo_event_attempts_total',
    help: 'Webhook delivery attempts',
    labelNames: ['outcome'],
    registers,
  })
  const deliveryAges = new Histogram({
    name: 'kobo_event_age_seconds',
    help: 'Age of events at delivery',
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 300, 3_600, 21_600, 86_400],
    registers,
  })
  const policyReports = new Counter({
    name: 'kobo_csp_reports_total',
    help: 'Content-Security-Policy violations reported by browsers',
    labelNames: ['directive'],
    registers,
  })
  const partnerResponses = new Counter({
    name: 'kobo_order_answers_total',
    help: 'Partner responses about orders',
    labelNames: ['purpose', 'answer'],
    registers,
  })
  const partnerTimes = new Histogram({
    name: 'kobo_partner_answer_seconds',
    help: 'Response time of partners',
    labelNames: ['partner', 'operation', 'answer'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25],
    registers,
  })
  const partnerViolations = new Counter({
    name: 'kobo_partner_violations_total',
    help: 'Notifications rejected because the partner has no right to them',
    labelNames: ['partner', 'operation'],
    registers,
  })
  const heldCharges = new Counter({
    name: 'kobo_card_charges_held_total',
    help: 'Card charges blocked after too many declines',
    labelNames: ['scope'],
    registers,
  })
  const spans = new Counter({
    name: 'kobo_trace_spans_total',
    help: 'Trace spans exported and dropped',
    labelNames: ['outcome'],
    registers,
  })
  return {
    spans,
    requests,
    deliveries,
    deliveryAges,
    policyReports,
    partnerResponses,
    partnerTimes,
    heldCharges,
    partnerViolations,
  }
}

function mailCounter(registers: Registry[]): Counter {
  const mails = new Counter({
    name: 'kobo_mails_total',
    help: 'Emails handed to the mail server, or not',
    labelNames: ['outcome'],
    registers,
  })
  // Alerts compare the two, and a counter that was never counted has no value.
  for (const outcome of ['sent', 'failed']) mails.inc({ outcome }, 0)
  return mails
}

function openLaneMeters(registers: Registry[]) {
  const sets = new Histogram({
    name: 'kobo_lane_set_size',
    help: 'Requests per commit',
    labelNames: ['lane'],
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers,
  })
  const setTimes = new Histogram({
    name: 'kobo_lane_set_seconds',
    help: 'Time to process one batch of a lane, including its commit',
    labelNames: ['lane'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers,
  })
  return { sets, setTimes }
}

/** How long reading a gauge may take. Slower gauges are left out. */
const READ_MILLISECONDS_MAX = 3_000

/** Gauges that are read on demand. A gauge that fails is left out and counted. */
function openGauges(registry: Registry) {
  const failures = new Counter({
    name: 'kobo_gauge_failures_total',
    help: 'Gauge readings that failed or timed out',
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
        await nextTurn() // after all instant gauges
        const values = await inTime(read()).catch(() => undefined)
        if (values === undefined) failures.inc({ gauge: name })
        else for (const [value, count] of values) this.set({ [label]: value }, count)
      },
    })
  }
}

function instantGauge(registers: Registry[], name: string, help: string, label: string, read: () => Values): void {
  new Gauge({
    name,
    help,
    labelNames: [label],
    registers,
    collect() {
      this.reset()
      for (const [value, count] of read()) this.set({ [label]: value }, count)
    },
  })
}

function inTime<T>(reading: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<T>()
  const timer = setTimeout(() => reject(new Error('Gauge reading timed out')), READ_MILLISECONDS_MAX)
  return Promise.race([reading, promise]).finally(() => clearTimeout(timer))
}

/** Exposes the payments that are counted elsewhere. */
function paymentCounter(registers: Registry[], read: Parameters<Metrics['payments']>[0]): void {
  new Counter({
    name: 'kobo_payments_total',
    help: 'Payments by outcome: kept, refunded, declined or unpaid',
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
  const meters = openMeters(registers)
  const { requests, deliveries, deliveryAges, policyReports, partnerResponses, partnerTimes, heldCharges, spans } =
    meters
  const { sets, setTimes } = openLaneMeters(registers)
  const gauges = openGauges(registry)
  const mails = mailCounter(registers)
  const lanes: Lane<never, unknown>[] = []
  instantGauge(registers, 'kobo_lane_depth', 'Requests queued or running in a lane', 'lane', () =>
    lanes.map(({ lane: name, depth }) => [name, depth()] as const),
  )

  return {
    text: async () => (await Promise.all([running, shared, registry].map((one) => one.metrics()))).join(''),
    contentType: registry.contentType,
    ofProcess: async () => (await Promise.all([running, registry].map((one) => one.getMetricsAsJSON()))).flat(),
    ofAll: () => shared.getMetricsAsJSON(),
    requests: (path) => {
      // Our own short key is cheaper than the library's hash of labels on every request.
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
    partnerResponse: (purpose, response) => partnerResponses.inc({ purpose, answer: response }),
    partnerRequest: (partner, operation, response, seconds) =>
      partnerTimes.observe({ partner, operation, answer: response }, seconds),
    mail: (outcome) => mails.inc({ outcome }),
    spans: (outcome, count) => spans.inc({ outcome }, count),
    partnerViolation: (partner, operation) => meters.partnerViolations.inc({ partner, operation }),
    heldCharge: (scope) => heldCharges.inc({ scope }),
    instantGauge: (name, help, label, read) => instantGauge(registers, name, help, label, read),
    gauge: gauges(registers),
    sharedGauge: gauges([shared]),
    lane: (options) => {
      const size = sets.labels(options.name)
      const time = setTimes.labels(options.name)
      const run: typeof options.run = (requests) => {
        const began = monotonic()
        return options.run(requests).finally(() => time.observe((monotonic() - began) / 1_000))
      }
      const opened = lane({ ...options, run, onBatch: (n) => size.observe(n) })
      lanes.push(opened as Lane<never, unknown>)
      return opened
    },
    lanes: () => lanes,
  }
}
