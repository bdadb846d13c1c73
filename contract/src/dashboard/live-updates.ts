import Type from 'typebox'
import { words } from '../fields.ts'
import { NO_PERMISSION } from '../permissions.ts'
import { group, route } from '../route.ts'
import { LISTS, type ListName } from './lists.ts'

/** A live update: only the name of what changed, never the data. */
export type LiveUpdate = { readonly changed: ListName | 'till' } | { readonly ended: 'too many' }

/** A stream of live updates that runs until the client disconnects. */
export interface LiveUpdateStream {
  /** Starts the stream; returns a function to call when the client disconnects. */
  readonly begin: (stream: {
    readonly send: (hint: LiveUpdate) => void
    readonly end: () => void
  }) => Promise<() => void>
}

const LIST_NAMES = Object.keys(LISTS) as [ListName, ...ListName[]]

export const hearHints = route({
  method: 'GET',
  path: '/dashboard/api/hints/:list',
  summary: 'Receive live updates when a list changes',
  description:
    'Server-sent events such as `{"changed": "transactions"}`, within seconds. They name only the list; fetch the data as usual. A session can have a few streams at once: the oldest is closed with `{"ended": "too many"}`. Each stream closes after some minutes, and browsers reconnect. The user must be allowed to see the list.',
  access: 'person',
  permission: NO_PERMISSION.ownData,
  person: 'money.read',
  sends: 'events',
  params: Type.Object({ list: words(LIST_NAMES) }),
  reply: Type.Unsafe<LiveUpdateStream>({ type: 'string', description: 'server-sent events' }),
})

export const dashboardLiveUpdates = group({
  title: 'Live updates',
  text: 'Notifications that a list has changed.',
  routes: { hearHints },
  refusals: {},
})
