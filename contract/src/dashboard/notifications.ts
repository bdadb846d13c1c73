import Type from 'typebox'
import { NoBody } from '../envelope.ts'
import { nullable, words } from '../fields.ts'
import { NO_PERMISSION } from '../permissions.ts'
import type { PersonPermission } from '../roles.ts'
import { group, route } from '../route.ts'
import { AttentionItems } from './home.ts'

/** The topics of notifications. Each team member can turn each off. */
export const NOTIFICATION_TOPICS = [
  'APPROVALS',
  'DISPUTES',
  'PAYOUTS',
  'SETTLEMENTS',
  'WEBHOOKS',
  'LOW_BALANCE',
] as const
export type NotificationTopic = (typeof NOTIFICATION_TOPICS)[number]

/** The permission that a user needs to get the notifications of a topic. */
export const TOPIC_PERMISSIONS: Readonly<Record<NotificationTopic, PersonPermission>> = {
  APPROVALS: 'payout.read',
  DISPUTES: 'money.read',
  PAYOUTS: 'payout.read',
  SETTLEMENTS: 'balances.read',
  WEBHOOKS: 'developer.read',
  LOW_BALANCE: 'balances.read',
}

const OWN = { access: 'person', permission: NO_PERMISSION.ownData, person: 'money.read' } as const
const ByMail = nullable(Type.Boolean({ description: 'null if there are no emails about it' }))

export const getNotifications = route({
  ...OWN,
  method: 'GET',
  path: '/dashboard/api/notifications',
  summary: 'Get the items that need attention, of the topics that you have not turned off',
  reply: Type.Object({ items: AttentionItems }),
})

export const getNotificationChoices = route({
  ...OWN,
  method: 'GET',
  path: '/dashboard/api/notification-choices',
  summary: 'Get your choice of notifications, for the topics that your role allows',
  reply: Type.Object({
    choices: Type.Array(
      Type.Object({
        topic: words(NOTIFICATION_TOPICS),
        isOnScreen: Type.Boolean(),
        isByMail: ByMail,
        isToCompany: nullable(
          Type.Boolean({
            description:
              'whether the company’s own address gets the emails; null if there are none, or if you may not change it',
          }),
        ),
      }),
    ),
  }),
})

export const chooseNotifications = route({
  ...OWN,
  method: 'PUT',
  path: '/dashboard/api/notification-choices/:topic',
  summary: 'Turn the notifications of a topic on or off for yourself',
  params: Type.Object({ topic: words(NOTIFICATION_TOPICS) }),
  body: Type.Partial(Type.Object({ isOnScreen: Type.Boolean(), isByMail: Type.Boolean() })),
  reply: NoBody,
})

/** The topics that the company's own address gets emails about. */
export const COMPANY_TOPICS = [
  'DISPUTES',
  'PAYOUTS',
  'SETTLEMENTS',
  'WEBHOOKS',
  'LOW_BALANCE',
] as const satisfies readonly NotificationTopic[]
export type CompanyTopic = (typeof COMPANY_TOPICS)[number]

export const chooseCompanyMails = route({
  method: 'PUT',
  path: '/dashboard/api/company-mails/:topic',
  summary: 'Turn the emails of a topic to the company’s own address on or off',
  access: 'person',
  permission: NO_PERMISSION.ownData,
  person: 'terms.manage',
  params: Type.Object({ topic: words(COMPANY_TOPICS) }),
  body: Type.Object({ isOn: Type.Boolean() }),
  reply: NoBody,
})

export const dashboardNotifications = group({
  title: 'Notifications',
  text: 'Items that need attention, in the dashboard’s header and by email. Each team member chooses the topics.',
  routes: { getNotifications, getNotificationChoices, chooseNotifications, chooseCompanyMails },
  refusals: {},
})
