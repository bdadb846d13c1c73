import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import * as routes from '../../routes.ts'
import { BellIcon } from '../../ui/icons.tsx'
import { useReply } from '../api/use-reply.ts'
import { ATTENTION } from '../parts/attention.ts'
import type { Screen } from './screen.ts'

const POLL_MILLISECONDS = 60_000

/** The items that need attention, behind a button in the header. Read again with each screen and once a minute. */
export function Notifications({ screen }: { readonly screen: Screen | undefined }): JSX.Element {
  const { body, again } = useReply(routes.getNotifications, {})
  const list = useRef<HTMLDivElement>(null)
  const isFirst = useRef(true)
  useEffect(() => {
    if (!isFirst.current) void again()
    isFirst.current = false
    const timer = setInterval(() => {
      if (!document.hidden) void again()
    }, POLL_MILLISECONDS)
    return () => clearInterval(timer)
  }, [screen, again])
  const items = body?.items ?? []
  return (
    <>
      <button class="bell" type="button" popovertarget="notifications">
        <BellIcon />
        <span class="unseen">Notifications</span>
        {items.length > 0 && <b>{items.length}</b>}
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the links inside take the keys */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a click on one of its links closes it */}
      <div
        id="notifications"
        class="notifications stack-tight"
        popover="auto"
        ref={list}
        onClick={({ target }) => (target as Element).closest('a') !== null && list.current?.hidePopover()}
      >
        <h2>Notifications</h2>
        {items.length === 0 && <p class="quiet">Nothing needs attention now.</p>}
        <ul>
          {items.map(({ what, count }) => (
            <li key={what}>
              <a href={`/dashboard/${ATTENTION[what].href}`}>{ATTENTION[what].text(count)}</a>
            </li>
          ))}
        </ul>
        <p class="small">
          <a class="link" href="/dashboard/profile">
            Choose notifications
          </a>
        </p>
      </div>
    </>
  )
}
