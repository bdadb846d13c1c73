import { collectDefaultMetrics, Registry } from 'prom-client'
import { instruments } from './instruments.ts'

/** The Prometheus metrics of the connector process. */
export interface ConnectorMetrics {
  readonly text: () => Promise<string>
  readonly contentType: string
  /** Records a request that the gateway sent. `response` is the `kind` of the response, or its status if that is not 200. */
  readonly request: (connector: string, operation: string, response: string, seconds: number) => void
  /** Counts a request that a partner sent to us, by the status of our response. */
  readonly callback: (connector: string, status: number) => void
  /** Counts a notification to the gateway: accepted, or failed for now. */
  readonly notification: (connector: string, operation: string, outcome: 'accepted' | 'failed') => void
}

export function openConnectorMetrics(): ConnectorMetrics {
  const registry = new Registry()
  const { counter, histogram } = instruments(registry)
  collectDefaultMetrics({ register: registry })
  const requests = histogram(
    'kobo_connector_request_seconds',
    'Response time of connectors to the gateway',
    ['connector', 'operation', 'answer'],
    [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25],
  )
  const callbacks = counter('kobo_connector_callbacks_total', 'Calls of partners, by status', 'connector', 'status')
  const notifications = counter(
    'kobo_connector_notifications_total',
    'Attempts to notify the gateway',
    'connector',
    'operation',
    'outcome',
  )
  return {
    text: () => registry.metrics(),
    contentType: registry.contentType,
    request: (connector, operation, response, seconds) =>
      requests.observe({ connector, operation, answer: response }, seconds),
    callback: (connector, status) => callbacks.inc({ connector, status }),
    notification: (connector, operation, outcome) => notifications.inc({ connector, operation, outcome }),
  }
}
