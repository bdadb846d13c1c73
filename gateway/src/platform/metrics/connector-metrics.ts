import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/** The Prometheus metrics of the connector process. */
export interface ConnectorMetrics {
  readonly text: () => Promise<string>
  readonly contentType: string
  /** Counts a request of the gateway, by the `kind` of the response, or by its status if that is not 200. */
  readonly request: (connector: string, operation: string, response: string, seconds: number) => void
  /** Counts a partner's call, by the status of the response. */
  readonly callback: (connector: string, status: number) => void
  /** Counts a notification to the gateway: accepted, or failed for now. */
  readonly notification: (connector: string, operation: string, outcome: 'accepted' | 'failed') => void
}

export function openConnectorMetrics(): ConnectorMetrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'kobo_connector_request_seconds',
    help: 'Response time of connectors to the gateway',
    labelNames: ['connector', 'operation', 'answer'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25],
    registers,
  })
  const callbacks = new Counter({
    name: 'kobo_connector_callbacks_total',
    help: 'Calls of partners, by status',
    labelNames: ['connector', 'status'],
    registers,
  })
  const notifications = new Counter({
    name: 'kobo_connector_notifications_total',
    help: 'Attempts to notify the gateway',
    labelNames: ['connector', 'operation', 'outcome'],
    registers,
  })
  return {
    text: () => registry.metrics(),
    contentType: registry.contentType,
    request: (connector, operation, response, seconds) =>
      requests.observe({ connector, operation, answer: response }, seconds),
    callback: (connector, status) => callbacks.inc({ connector, status }),
    notification: (connector, operation, outcome) => notifications.inc({ connector, operation, outcome }),
  }
}
