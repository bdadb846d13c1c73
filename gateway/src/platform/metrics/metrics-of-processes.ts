import cluster, { type Worker } from 'node:cluster'
import process from 'node:process'
import { AggregatorRegistry } from 'prom-client'
import type { Measurements, Metrics } from './metrics.ts'

/** How long each of the other processes may take to report. Slower ones are left out. */
const RESPONSE_MILLISECONDS_MAX = 4_000
/** How long a serving process waits for the metrics of all processes: longer than each may take. */
const GATHER_MILLISECONDS_MAX = 6_000

/**
 * Messages between the processes of a node. Each request has a number, so that a late response is not mistaken for
 * another.
 */
type Message =
  /** A serving process asks the parent process for all metrics. */
  | { readonly kobo: 'gather'; readonly question: number }
  | { readonly kobo: 'gathered'; readonly question: number; readonly text: string }
  /** The parent process asks each process for its own metrics. */
  | { readonly kobo: 'measure'; readonly question: number }
  | { readonly kobo: 'measured'; readonly question: number; readonly measurements: Measurements }

const isMessage = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && 'kobo' in message && 'question' in message

/** Pending requests, with a timeout. */
function openRequests<Result>(waitMilliseconds: number) {
  const waiting = new Map<number, (finish: Result | undefined) => void>()
  let requestCount = 0
  return {
    request: (send: (question: number) => void): Promise<Result | undefined> =>
      new Promise((resolve) => {
        const question = requestCount++
        const timer = setTimeout(() => finish(undefined), waitMilliseconds)
        const finish = (given: Result | undefined): void => {
          clearTimeout(timer)
          waiting.delete(question)
          resolve(given)
        }
        waiting.set(question, finish)
        send(question)
      }),
    answered: (question: number, finish: Result): void => waiting.get(question)?.(finish),
  }
}

/** Run in the parent process: returns the metrics of all processes, each labelled. Shared values are read only here. */
export function gatherMeasurements(metrics: Metrics): void {
  const questions = openRequests<Measurements>(RESPONSE_MILLISECONDS_MAX)
  const requestOne = (worker: Worker): Promise<Measurements | undefined> =>
    questions.request((question) => worker.send({ kobo: 'measure', question } satisfies Message, () => {}))

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
    return together([shared, ofProcess('first', own), ...reports])
  }

  cluster.on('message', (worker, message: unknown) => {
    if (!isMessage(message)) return
    const { kobo, question } = message
    if (kobo === 'measured') questions.answered(question, message.measurements)
    if (kobo === 'gather')
      void gather().then((text) => worker.send({ kobo: 'gathered', question, text } satisfies Message, () => {}))
  })
}

/** Run in a serving process: reads the metrics of all processes, or only its own if the parent does not respond. */
export function measurementsOfAll(metrics: Metrics): () => Promise<string> {
  if (!cluster.isWorker) return metrics.text
  const questions = openRequests<string>(GATHER_MILLISECONDS_MAX)
  const send = (message: Message): void => void process.send?.(message)
  process.on('message', (message: unknown) => {
    if (!isMessage(message)) return
    const { kobo, question } = message
    if (kobo === 'gathered') questions.answered(question, message.text)
    if (kobo === 'measure')
      void metrics.ofProcess().then((measurements) => send({ kobo: 'measured', question, measurements }))
  })
  return async () =>
    (await questions.request((question) => send({ kobo: 'gather', question }))) ?? (await metrics.text())
}

/** Labels each value with its process, so that values are not added up: a sum would drop when a process ends. */
const ofProcess = (name: string, measurements: Measurements): Measurements =>
  measurements.map((metric) => ({
    ...metric,
    aggregator: 'sum',
    values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, process: name } })),
  }))

const together = (all: readonly Measurements[]): Promise<string> =>
  AggregatorRegistry.aggregate(all.map((one) => [...one])).metrics()
