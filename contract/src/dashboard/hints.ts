import Type from 'typebox'
import { words } from '../fields.ts'
import { NO_PERMISSION } from '../permissions.ts'
import { group, route } from '../route.ts'
import { LISTS, type ListName } from './lists.ts'

/** What a reader of hints hears: that something of a list is new or other than it was. Never what. */
export type Hint = { readonly changed: ListName } | { readonly ended: 'too many' }

/** What is told as it happens, until the reader goes. */
export interface HintStream {
  /** Begins to tell; answers what is to be done when the reader is gone. */
  readonly begin: (stream: { readonly send: (hint: Hint) => void; readonly end: () => void }) => Promise<() => void>
}

const LIST_NAMES = Object.keys(LISTS) as [ListName, ...ListName[]]

export const hearHints = route({
  method: 'GET',
  path: '/dashboard/api/hints/:list',
  summary: 'Hear that something of a list has changed, as it happens',
  description:
    'Server-sent events: `{"changed": "transactions"}` within seconds, and no more than that; what has changed is asked for as ever. A session has a few at once: the oldest ends with `{"ended": "too many"}`. Each ends after some minutes, and browsers open it again. Who hears must be allowed to see the list.',
  access: 'person',
  permission: NO_PERMISSION.ownBooks,
  person: 'money.read',
  sends: 'events',
  params: Type.Object({ list: words(LIST_NAMES) }),
  reply: Type.Unsafe<HintStream>({ type: 'string', description: 'server-sent events' }),
})

export const dashboardHints = group({
  title: 'Hints',
  text: 'That something has changed, told as it happens.',
  routes: { hearHints },
  refusals: {},
})
