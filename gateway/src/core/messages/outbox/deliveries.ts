import { additionalQueue } from './additional-repository.ts'
import { type DeliveryDeps, openDelivery } from './delivery.ts'
import { defaultQueue } from './queue-repository.ts'

/** Delivers events to the URLs of the settings and to additional endpoints, each by its own worker. */
export function openDeliveries(deps: DeliveryDeps) {
  const all = [defaultQueue, additionalQueue].map((queue) => ({ queue, ...openDelivery(deps, queue) }))
  return {
    works: all.map(({ queue, workDue }) => ({
      name: `send ${queue.work}`,
      run: workDue,
      nextDue: () => queue.nextDue(deps.core.db),
    })),
    start: (): void => {
      for (const { start } of all) start()
    },
    stop: async (): Promise<void> => {
      await Promise.all(all.map(({ stop }) => stop()))
    },
  }
}
