import cluster, { type Worker } from 'node:cluster'
import process from 'node:process'
import { AggregatorRegistry } from 'prom-client'
import type { Measurements, Metrics } from './metrics.ts'

/** How long the others may take to tell what they measured; who takes longer is left out. */
const TELL_MILLISECONDS_MAX = 4_000
/** How long a process that serves waits for all of them: longer. */
const GATHER_MILLISECONDS_MAX = 6_000

/** What processes of a node say to each other. One question at a time has a number, so that a late answer is no other's. */
type Message =
  /** One that serves asks the first for what all have measured. */
  | { readonly kobo: 'gather'; readonly question: number }
  | { readonly kobo: 'gathered'; readonly question: number; readonly text: string }
  /** The first asks each for its own. */
  | { readonly kobo: 'measure'; readonly question: number }
  | { readonly kobo: 'measured'; readonly question: number; readonly measurements: Measurements }

const isMessage = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && 'kobo' in message && 'question' in message

/** Questions that were asked and wait for an answer, for so long at most. */
function openQuestions<Answer>(waitMilliseconds: number) {
  const waiting = new Map<number, (answer: Answer | undefined) => void>()
  let asked = 0
  return {
    ask: (send: (question: number) => void): Promise<Answer | undefined> =>
      new Promise((resolve) => {
        const question = asked++
        const timer = setTimeout(() => answer(undefined), waitMilliseconds)
        const answer = (given: Answer | undefined): void => {
          clearTimeout(timer)
          waiting.delete(question)
          resolve(given)
        }
        waiting.set(question, answer)
        send(question)
      }),
    answered: (question: number, answer: Answer): void => waiting.get(question)?.(answer),
  }
}

/**
 * In the process that has started others: answers to any of them what all have measured, each value with the process that
 * it is of. What is the same for all is looked up here alone.
 */
export function gatherMeasurements(metrics: Metrics): void {
  const questions = openQuestions<Measurements>(TELL_MILLISECONDS_MAX)
  const askOne = (worker: Worker): Promise<Measurements | undefined> =>
    questions.ask((question) => worker.send({ kobo: 'measure', question } satisfies Message, () => {}))

  async function gather(): Promise<string> {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected() === true)
    const [shared, own, ...others] = await Promise.all([
      metrics.ofAll(),
      metrics.ofProcess(),
      ...workers.flatMap((worker) => (worker === undefined ? [] : askOne(worker))),
    ])
    const told = others.flatMap((one, index) => (one === undefined ? [] : [ofProcess(String(workers[index]?.id), one)]))
    return together([shared, ofProcess('first', own), ...told])
  }

  cluster.on('message', (worker, message: unknown) => {
    if (!isMessage(message)) return
    const { kobo, question } = message
    if (kobo === 'measured') questions.answered(question, message.measurements)
    if (kobo === 'gather')
      void gather().then((text) => worker.send({ kobo: 'gathered', question, text } satisfies Message, () => {}))
  })
}

/** In a process that serves beside others: how to learn what all have measured. Where the first is silent, its own. */
export function measurementsOfAll(metrics: Metrics): () => Promise<string> {
  if (!cluster.isWorker) return metrics.text
  const questions = openQuestions<string>(GATHER_MILLISECONDS_MAX)
  const send = (message: Message): void => void process.send?.(message)
  process.on('message', (message: unknown) => {
    if (!isMessage(message)) return
    const { kobo, question } = message
    if (kobo === 'gathered') questions.answered(question, message.text)
    if (kobo === 'measure')
      void metrics.ofProcess().then((measurements) => send({ kobo: 'measured', question, measurements }))
  })
  return async () => (await questions.ask((question) => send({ kobo: 'gather', question }))) ?? (await metrics.text())
}

/** Says of each value which process it is of, so that none is added to another's: a sum would fall when a process ends. */
const ofProcess = (name: string, measurements: Measurements): Measurements =>
  measurements.map((metric) => ({
    ...metric,
    aggregator: 'sum',
    values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, process: name } })),
  }))

const together = (all: readonly Measurements[]): Promise<string> =>
  AggregatorRegistry.aggregate(all.map((one) => [...one])).metrics()
