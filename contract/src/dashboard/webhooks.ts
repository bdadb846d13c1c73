import Type from 'typebox'
import { EVENT_KINDS } from '../events.ts'
import { nullable, words } from '../fields.ts'
import { NO_PERMISSION } from '../permissions.ts'
import { group, route } from '../route.ts'
import { Instant } from './lists.ts'

export const getWebhookHealth = route({
  method: 'GET',
  path: '/dashboard/api/webhooks',
  summary: 'Get the health of each webhook URL: pause, success rate, response time and last failures',
  access: 'person',
  permission: NO_PERMISSION.ownData,
  person: 'developer.read',
  reply: Type.Object({
    endpoints: Type.Array(
      Type.Object({
        kind: words(
          ['default', ...EVENT_KINDS],
          'kind of events that it receives; `default` for all kinds without their own URL',
        ),
        url: Type.String(),
        pausedOn: nullable(Instant),
        attempts: Type.Integer({ description: 'number of newest delivery attempts that these figures are based on' }),
        delivered: Type.Integer(),
        medianMilliseconds: nullable(Type.Integer({ description: 'median time to a response' })),
        lastAttemptOn: nullable(Instant),
        failures: Type.Array(
          Type.Object({
            eventId: Type.String(),
            at: Instant,
            status: nullable(Type.Integer()),
            error: nullable(Type.String()),
            milliseconds: Type.Integer(),
          }),
        ),
      }),
    ),
  }),
})

export const dashboardWebhooks = group({
  title: 'Webhook health',
  text: 'The health of the webhook URLs.',
  routes: { getWebhookHealth },
  refusals: {},
})
