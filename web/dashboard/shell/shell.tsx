import type { ComponentType, JSX } from 'preact'
import { useCallback, useEffect, useState } from 'preact/hooks'
import { Logo } from '../../ui/icons.tsx'
import { isTransient, type Me, onSignedOut, problemOf, readMe, signOut, UNREACHED } from '../api/call.ts'
import { useRetry } from '../api/use-reply.ts'
import { Loading, LoadingOrError } from '../parts/placeholders.tsx'
import { SCREENS } from '../screens.ts'
import { ConfirmIdentity } from '../sign-in/confirm-identity.tsx'
import { MailedLink } from '../sign-in/mailed-link.tsx'
import { SignIn } from '../sign-in/sign-in.tsx'
import { SignInPage } from '../sign-in/sign-in-page.tsx'
import { SignOn, SignOnButton } from '../sign-in/sign-on.tsx'
import { Navigation } from './navigation.tsx'
import { Notifications } from './notifications.tsx'
import { isCashier, isVisibleTo, type Screen, type ScreenProps } from './screen.ts'
import { SearchBox } from './search-box.tsx'
import { TeamSwitch } from './team-switch.tsx'
import { ThemeSwitch } from './theme.tsx'

/** The parts of the current URL: /dashboard/NAME/ID?QUERY. */
const here = (): { name: string; id: string | undefined; query: URLSearchParams } => {
  const [, , name = '', id] = location.pathname.split('/')
  return {
    name,
    id: id === undefined ? undefined : decodeURIComponent(id),
    query: new URLSearchParams(location.search),
  }
}

/** The dashboard: sign-in, then the screens. */
export const Dashboard = (): JSX.Element => (
  <>
    <Pages />
    <ConfirmIdentity />
  </>
)

/** Set while the user of this tab is signed in. After the session has expired, a page load can then say so. */
const SIGNED_IN = 'kobo-signed-in'

/** The signed-in user: undefined while loading, null if there is none. A user stays signed in while `/me` fails. */
function useMe() {
  const [me, setMe] = useState<Me | null>()
  const [failure, setFailure] = useState<string>()
  const [hasEnded, setEnded] = useState(false)
  const refresh = useCallback(async () => {
    const response = await readMe()
    const isUnknown = response.kind !== 'done' && isTransient(response)
    if (!isUnknown) setMe(response.kind === 'done' ? response.body : null)
    if (response.kind === 'done') {
      setEnded(false)
      if (response.body.stage === 'in') sessionStorage.setItem(SIGNED_IN, 'yes')
      else sessionStorage.removeItem(SIGNED_IN)
    } else if (!isUnknown && sessionStorage.getItem(SIGNED_IN) !== null) setEnded(true)
    setFailure(isUnknown ? problemOf(response) : undefined)
  }, [])
  useEffect(() => {
    onSignedOut(() => {
      setMe((before) => {
        // Several calls may fail at once; only the first of them finds the user signed in.
        if (before?.stage === 'in') setEnded(true)
        return null
      })
    })
    void refresh()
  }, [refresh])
  useRetry(failure !== undefined, refresh)
  const problem = failure === undefined ? undefined : { text: failure, isMissing: false, retry: () => void refresh() }
  return { me, problem, hasEnded, refresh }
}

/** Sign-in, or the screen at the current URL. */
function Pages(): JSX.Element {
  const { me, problem, hasEnded, refresh } = useMe()
  const [place, setPlace] = useState(here)
  const go = useCallback((address: string) => {
    history.pushState(null, '', address)
    setPlace(here())
    scrollTo(0, 0)
  }, [])
  useEffect(() => {
    const move = (): void => setPlace(here())
    const follow = linkHandler(go)
    addEventListener('popstate', move)
    document.addEventListener('click', follow)
    return () => {
      removeEventListener('popstate', move)
      document.removeEventListener('click', follow)
    }
  }, [go])
  // The profile's own URL, so that it stays open with the backup codes once a second factor is set up.
  const isEnrolling = me?.stage === 'enrolment' && !['link', 'sign-on', 'profile'].includes(place.name)
  useEffect(() => {
    if (isEnrolling) go('/dashboard/profile')
  }, [isEnrolling, go])
  if (place.name === 'link') return <MailedLink go={go} refresh={refresh} />
  if (place.name === 'sign-on') return <SignOn key={place.id} code={place.id ?? ''} go={go} refresh={refresh} />
  if (me === undefined) return <LoadingOrError problem={problem} />
  if (me === null || me.stage === 'second-factor')
    return <SignIn me={me ?? undefined} hasEnded={hasEnded} refresh={refresh} />
  const screen =
    me.stage === 'enrolment'
      ? SCREENS.find(({ name }) => name === 'profile')
      : SCREENS.find(({ name }) => name === (place.name === '' && isCashier(me) ? 'tills' : place.name))
  // The profile stays available, so that users can still change their account or switch to another team.
  if (me.signOn?.isNeeded === true && place.name !== 'profile') return <SignOnNeeded me={me} code={me.signOn.code} />
  return (
    <Shell me={me} screen={screen} go={go}>
      <Outlet
        key={`${screen?.name}/${place.id}`}
        screen={screen}
        me={me}
        id={place.id}
        query={place.query}
        go={go}
        refresh={refresh}
        screens={SCREENS.filter((one) => isVisibleTo(one, me))}
      />
    </Shell>
  )
}

/** Shown to a user who signed in with a password to a team that requires single sign-on. */
const SignOnNeeded = ({ me, code }: { readonly me: Me; readonly code: string }): JSX.Element => (
  <SignInPage title="Single sign-on" text={`${me.merchant?.name ?? 'Your team'} requires single sign-on.`}>
    <SignOnButton code={code} />
    <TeamSwitch me={me} />
    <a class="link" href="/dashboard/profile">
      Your profile
    </a>
  </SignInPage>
)

/** Opens plain clicks on dashboard links without a page load. */
const linkHandler =
  (go: (address: string) => void) =>
  (event: MouseEvent): void => {
    const link = (event.target as Element).closest('a')
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    if (link === null || !isPlain || link.target !== '' || link.origin !== location.origin) return
    if (!/^\/dashboard(\/|$)/.test(link.pathname) || link.hasAttribute('download')) return
    if (link.hash !== '' && link.pathname === location.pathname) return // a link within this page
    event.preventDefault()
    go(link.pathname + link.search)
  }

interface ShellProps {
  readonly me: Me
  readonly screen: Screen | undefined
  readonly go: (address: string) => void
  readonly children: JSX.Element
}

/** The frame around every screen: header and navigation. */
function Shell({ me, screen, go, children }: ShellProps): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => setOpen(false), [screen])
  const isReader = me.stage === 'in' && me.permissions.includes('money.read')
  const leave = async (): Promise<void> => {
    await signOut()
    sessionStorage.removeItem(SIGNED_IN)
    location.assign('/dashboard')
  }
  return (
    <div class="dashboard">
      <a class="skip" href="#screen">
        Skip to content
      </a>
      <header class="top">
        <button
          class="menu"
          type="button"
          aria-expanded={isOpen}
          aria-controls="navigation"
          onClick={() => setOpen(!isOpen)}
        >
          Menu
        </button>
        <a class="home" href="/dashboard">
          <Logo /> <b>{me.merchant?.name ?? 'Kobo'}</b>
        </a>
        {me.environment === 'sandbox' && <span class="badge">Sandbox</span>}
        {isReader ? <SearchBox go={go} /> : <span class="room" />}
        {isReader && <Notifications screen={screen} />}
        <UserMenu me={me} leave={leave} />
      </header>
      <Navigation me={me} screen={screen} isOpen={isOpen}>
        <UserMenu me={me} leave={leave} />
      </Navigation>
      <main class="screen" id="screen" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}

interface UserMenuProps extends Pick<ShellProps, 'me'> {
  readonly leave: () => Promise<void>
}

/** Theme, profile and sign-out: in the header on a desktop, at the end of the menu on a phone. */
const UserMenu = ({ me, leave }: UserMenuProps): JSX.Element => (
  <div class="own">
    <TeamSwitch me={me} />
    <ThemeSwitch />
    <a class="link" href="/docs/guides/dashboard" target="_blank" rel="noopener">
      Help
    </a>
    <a class="link" href="/dashboard/profile">
      {me.name}
    </a>
    <button class="link" type="button" onClick={() => void leave()}>
      Sign out
    </button>
  </div>
)

/** Whether a screen was opened since the page was loaded. */
let hasOpened = false

/** Loads and shows a screen, or an error. */
function Outlet({ screen, ...props }: ScreenProps & { readonly screen: Screen | undefined }): JSX.Element {
  const [Loaded, setLoaded] = useState<ComponentType<ScreenProps>>()
  const [hasFailed, setFailed] = useState(false)
  const allowed = screen !== undefined && isVisibleTo(screen, props.me)
  useEffect(() => {
    document.title = `${screen?.title ?? 'Not found'} · Kobo`
    if (!allowed) return
    screen.load().then(
      ({ default: component }) => setLoaded(() => component),
      () => setFailed(true),
    )
    // Moves the focus, so that keyboard and screen reader users notice the new screen.
    if (hasOpened) document.getElementById('screen')?.focus({ preventScroll: true })
    hasOpened = true
  }, [screen, allowed])
  if (screen === undefined) return <ErrorScreen title="Page not found" text="Check the address for typing errors." />
  if (!allowed)
    return <ErrorScreen title="You don’t have access" text="Ask an owner of your team if you need this screen." />
  if (hasFailed)
    return <LoadingOrError problem={{ text: UNREACHED, isMissing: false, retry: () => location.reload() }} />
  if (Loaded === undefined) return <Loading />
  const parent = props.screens.find(({ name }) => name === screen.parent)
  if (parent === undefined) return <Loaded {...props} />
  return (
    <div class="stack">
      <p>
        <a class="link back" href={`/dashboard/${parent.name}`}>
          {parent.title}
        </a>
      </p>
      <Loaded {...props} />
    </div>
  )
}

/** A full-screen error message. */
export const ErrorScreen = ({ title, text }: { readonly title: string; readonly text: string }): JSX.Element => (
  <section class="error-screen stack">
    <h1>{title}</h1>
    <p class="quiet">{text}</p>
    <p>
      <a class="link" href="/dashboard">
        Go to Home
      </a>
    </p>
  </section>
)
