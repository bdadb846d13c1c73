import cluster, { type Worker } from 'node:cluster'
import process from 'node:process'
import { AggregatorRegistry } from 'prom-client'
import type { Measurements, Metrics } from './metrics.ts'

/** How long each of the other processes may take to report. Slower ones are left out. */
const RESPONSE_MILLISECONDS_MAX = 4_000
/** How long a serving process waits for the metrics of all processes: longer than each may take. */
const GATHER_MILLISECONDS_MAX = 6_000

/**
 * Messages between the processes of a node. Each request has a number, so that a late response is not matched with a
 * later request.
 */
type Message =
  /** A serving process asks the parent process for all metrics. */
  | { readonly kobo: 'gather'; readonly requestNumber: number }
  | { readonly kobo: 'gathered'; readonly requestNumber: number; readonly text: string }
  /** The parent process asks each process for its own metrics. */
  | { readonly kobo: 'measure'; readonly requestNumber: number }
  | { readonly kobo: 'measured'; readonly requestNumber: number; readonly measurements: Measurements }

const isMessage = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && 'kobo' in message && 'requestNumber' in message

/** Pending requests, with a timeout. */
function openRequests<Result>(waitMilliseconds: number) {
  const waiting = new Map<number, (finish: Result | undefined) => void>()
  let requestCount = 0
  return {
    request: (send: (requestNumber: number) => void): Promise<Result | undefined> =>
      new Promise((resolve) => {
        const requestNumber = requestCount++
        const timer = setTimeout(() => finish(undefined), waitMilliseconds)
        const finish = (given: Result | undefined): void => {
          clearTimeout(timer)
          waiting.delete(requestNumber)
          resolve(given)
        }
        waiting.set(requestNumber, finish)
        send(requestNumber)
      }),
    respond: (requestNumber: number, finish: Result): void => waiting.get(requestNumber)?.(finish),
  }
}

/** Runs in the parent process: reports the labelled metrics of all processes. Only it reads the shared values. */
export function gatherMeasurements(metrics: Metrics): void {
  const pending = openRequests<Measurements>(RESPONSE_MILLISECONDS_MAX)
  const requestOne = (worker: Worker): Promise<Measurements | undefined> =>
    pending.request((requestNumber) => worker.send({ kobo: 'measure', requestNumber } satisfies Message, () => {}))

  async function gather(): Promise<string> {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected() === true)
    const [shared, own, ...others] = await Promise.all([
      metrics.ofAll(),
      metrics.ofProcess(),
      ...workers.flatMap((worker) => (worker === undefined ? [] : requestOne(worker))),
    ])
    const reports = others.flatMap((one, index) =>
      one === undefined ? [] : [ofProcess(String(workers[index]?.id), one)],
    )
    return merged([shared, ofProcess('first', own), ...reports])
  }

  cluster.on('message', (worker, message: unknown) => {
    if (!isMessage(message)) return
    const { kobo, requestNumber } = message
    if (kobo === 'measured') pending.respond(requestNumber, message.measurements)
    if (kobo === 'gather')
      void gather().then((text) => worker.send({ kobo: 'gathered', requestNumber, text } satisfies Message, () => {}))
  })
}

/** Runs in a serving process: reads the metrics of all processes, or only its own if the parent does not respond. */
export function measurementsOfAll(metrics: Metrics): () => Promise<string> {
  if (!cluster.isWorker) return metrics.text
  const pending = openRequests<string>(GATHER_MILLISECONDS_MAX)
  const send = (message: Message): void => void process.send?.(message)
  process.on('message', (message: unknown) => {
    if (!isMessage(message)) return
    const { kobo, requestNumber } = message
    if (kobo === 'gathered') pending.respond(requestNumber, message.text)
    if (kobo === 'measure')
      void metrics.ofProcess().then((measurements) => send({ kobo: 'measured', requestNumber, measurements }))
  })
  return async () =>
    (await pending.request((requestNumber) => send({ kobo: 'gather', requestNumber }))) ?? (await metrics.text())
}

/** Labels each value with its process, so that values are not added up: a sum would drop when a process ends. */
const ofProcess = (name: string, measurements: Measurements): Measurements =>
  measurements.map((metric) => ({
    ...metric,
    aggregator: 'sum',
    values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, process: name } })),
  }))

const merged = (all: readonly Measurements[]): Promise<string> =>
  AggregatorRegistry.aggregate(all.map((one) => [...one])).metrics()
