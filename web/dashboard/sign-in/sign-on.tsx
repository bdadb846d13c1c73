import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import * as routes from '../../routes.ts'
import { call, problemOf } from '../api/call.ts'
import { Loading } from '../parts/placeholders.tsx'
import { SignInPage } from './sign-in-page.tsx'

/** The storage key of the team that last signed on in this browser. */
const TEAM = 'kobo-sign-on'
/** The channel on which the provider's window reports to the waiting page that the user has confirmed. */
const CONFIRMED = 'kobo-confirmed'
/** The storage key that marks the window in which the provider asks the user to confirm. */
const CONFIRMATION = 'kobo-confirmation'

/** The code of the team that signed on last in this browser. */
export const lastTeam = (): string | null => localStorage.getItem(TEAM)

interface ButtonProps {
  readonly code: string
  /** The token of the invitation to accept. */
  readonly link?: string
  readonly isPlain?: boolean
}

/** A button that continues at a team's identity provider. */
export function SignOnButton({ code, link, isPlain = false }: ButtonProps): JSX.Element {
  const [problem, setProblem] = useState<string>()
  const start = async (): Promise<void> => {
    const response = await call(routes.startSignOn, { body: { code, ...(link !== undefined && { link }) } })
    if (response.kind === 'done') location.assign(response.body.url)
    else setProblem(problemOf(response))
  }
  return (
    <>
      <button class={isPlain ? 'button plain' : 'button'} type="button" onClick={() => void start()}>
        Continue with single sign-on
      </button>
      <div role="alert">{problem !== undefined && <p class="notice bad">{problem}</p>}</div>
    </>
  )
}

interface Props {
  readonly code: string
  readonly go: (address: string) => void
  readonly refresh: () => Promise<void>
}

/** A team's own sign-in page, to which its identity provider also sends the browser back. */
export function SignOn({ code, go, refresh }: Props): JSX.Element {
  const [query] = useState(() => (location.pathname.endsWith('/callback') ? location.search : undefined))
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    document.title = 'Sign in · Kobo'
    if (query === undefined) return
    history.replaceState(null, '', `/dashboard/sign-on/${code}`) // removes the response from the URL, because it works only once
    const finish = async (): Promise<void> => {
      const response = await call(routes.finishSignOn, { body: { code, query } })
      if (response.kind !== 'done') return setProblem(problemOf(response))
      localStorage.setItem(TEAM, code)
      if (sessionStorage.getItem(CONFIRMATION) !== null) {
        new BroadcastChannel(CONFIRMED).postMessage('')
        close()
      }
      await refresh()
      go('/dashboard')
    }
    void finish()
  }, [])
  if (query !== undefined && problem === undefined) return <Loading />
  return (
    <SignInPage title="Single sign-on" text="Sign in through your team’s identity provider.">
      <div role="alert">{problem !== undefined && <p class="notice bad">{problem}</p>}</div>
      <SignOnButton code={code} />
      <a class="link" href="/dashboard">
        Sign in with a password
      </a>
    </SignInPage>
  )
}

/** A button that opens the provider in a new window, where the user confirms; then calls `confirmed`. */
export function ConfirmBySignOn({ confirmed }: { readonly confirmed: () => void }): JSX.Element {
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    const channel = new BroadcastChannel(CONFIRMED)
    channel.onmessage = confirmed
    return () => channel.close()
  }, [confirmed])
  const request = async (): Promise<void> => {
    // The new window gets a copy of this window's storage. It must open at once, or the browser blocks it.
    sessionStorage.setItem(CONFIRMATION, 'yes')
    const opened = open('about:blank', '_blank', 'popup,width=480,height=640')
    sessionStorage.removeItem(CONFIRMATION)
    const response = await call(routes.confirmSignOn, {})
    if (response.kind === 'done' && opened !== null) opened.location.href = response.body.url
    else opened?.close()
    if (response.kind !== 'done') setProblem(problemOf(response))
    else setProblem(opened === null ? 'Your browser blocked the window. Allow pop-ups and try again.' : undefined)
  }
  return (
    <>
      <button class="button" type="button" onClick={() => void request()}>
        Confirm with single sign-on
      </button>
      <div role="alert">{problem !== undefined && <p class="notice bad">{problem}</p>}</div>
    </>
  )
}
