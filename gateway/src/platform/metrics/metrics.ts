import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'
import { monotonic } from '../../kernel/clock.ts'
import type { Lane, LaneOptions } from '../lanes/lane.ts'
import { lane } from '../lanes/lane.ts'
import { instruments } from './instruments.ts'

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
  /** Counts an email, by whether the mail server accepted it. */
  readonly mail: (outcome: 'sent' | 'failed') => void
  readonly spans: (outcome: 'exported' | 'dropped', count: number) => void
  /** Counts a partner's report about an account or order of another partner. */
  readonly partnerViolation: (partner: string, operation: string) => void
  /** Counts a card charge that the card-testing guard blocked, by the property that it shares with declined charges. */
  readonly heldCharge: (scope: string) => void
  /**
   * A gauge of a value in this process's memory. It is read before the gauges that query the database, because queries
   * would change it.
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

/** Metrics of memory, garbage collection and so on. They exist once per process, even if it runs several gateways. */
function processMetrics(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess })
  }
  return ofProcess
}

function openMeters(registry: Registry) {
  const { counter, histogram } = instruments(registry)
  const mails = counter('kobo_mails_total', 'Emails handed to the mail server, or not', 'outcome')
  // Alerts compare both outcomes, and a counter that was never increased would have no value.
  for (const outcome of ['sent', 'failed']) mails.inc({ outcome }, 0)
  return {
    mails,
    requests: histogram(
      'kobo_http_request_seconds',
      'Request duration',
      ['method', 'path', 'status'],
      [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    ),
    deliveries: counter('kobo_event_attempts_total', 'Webhook delivery attempts', 'outcome'),
    deliveryAges: histogram(
      'kobo_event_age_seconds',
      'Age of events at delivery',
      [],
      [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 300, 3_600, 21_600, 86_400],
    ),
    policyReports: counter(
      'kobo_csp_reports_total',
      'Content-Security-Policy violations reported by browsers',
      'directive',
    ),
    partnerResponses: counter('kobo_order_answers_total', 'Partner responses about orders', 'purpose', 'answer'),
    partnerTimes: histogram(
      'kobo_partner_answer_seconds',
      'Response time of partners',
      ['partner', 'operation', 'answer'],
      [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25],
    ),
    partnerViolations: counter(
      'kobo_partner_violations_total',
      'Notifications rejected because the partner has no right to them',
      'partner',
      'operation',
    ),
    heldCharges: counter('kobo_card_charges_held_total', 'Card charges blocked after too many declines', 'scope'),
    spans: counter('kobo_trace_spans_total', 'Trace spans exported and dropped', 'outcome'),
    sets: histogram('kobo_lane_set_size', 'Requests per commit', ['lane'], [1, 2, 4, 8, 16, 32, 64, 128, 256]),
    setTimes: histogram(
      'kobo_lane_set_seconds',
      'Time to process one batch of a lane, including its commit',
      ['lane'],
      [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    ),
  }
}

/** How long reading a gauge may take. Slower gauges are left out. */
const READ_MILLISECONDS_MAX = 3_000

/** Opens gauges that are read on demand. A gauge that fails is left out, and the failure is counted. */
function openGauges(registry: Registry) {
  const failures = instruments(registry).counter(
    'kobo_gauge_failures_total',
    'Gauge readings that failed or timed out',
    'gauge',
  )
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
  const meters = openMeters(registry)
  const gauges = openGauges(registry)
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
      const timers = new Map<string, ReturnType<typeof meters.requests.labels>>()
      return (method, status, seconds) => {
        const key = `${method} ${status}`
        let timer = timers.get(key)
        if (timer === undefined) {
          timer = meters.requests.labels(method, path, String(status))
          timers.set(key, timer)
        }
        timer.observe(seconds)
      }
    },
    delivery: (outcome, ageSeconds) => {
      meters.deliveries.inc({ outcome })
      if (outcome === 'delivered') meters.deliveryAges.observe(ageSeconds)
    },
    payments: (read) => paymentCounter(registers, read),
    policyReport: (directive) => meters.policyReports.inc({ directive }),
    partnerResponse: (purpose, response) => meters.partnerResponses.inc({ purpose, answer: response }),
    partnerRequest: (partner, operation, response, seconds) =>
      meters.partnerTimes.observe({ partner, operation, answer: response }, seconds),
    mail: (outcome) => meters.mails.inc({ outcome }),
    spans: (outcome, count) => meters.spans.inc({ outcome }, count),
    partnerViolation: (partner, operation) => meters.partnerViolations.inc({ partner, operation }),
    heldCharge: (scope) => meters.heldCharges.inc({ scope }),
    instantGauge: (name, help, label, read) => instantGauge(registers, name, help, label, read),
    gauge: gauges(registers),
    sharedGauge: gauges([shared]),
    lane: (options) => {
      const size = meters.sets.labels(options.name)
      const time = meters.setTimes.labels(options.name)
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
