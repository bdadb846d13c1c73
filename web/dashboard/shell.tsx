import type { signOut } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import type { ComponentType, JSX } from 'preact'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { Logo } from '../ui/icons.tsx'
import { call, type Me, readMe, whenSignedOut, whenToConfirm } from './call.ts'
import { confirmIdentity } from './confirm.tsx'
import { isFor, type Screen, type ScreenProps } from './screen.ts'
import { SCREENS } from './screens.ts'
import { SearchBox } from './search-box.tsx'
import { SignIn } from './sign-in/sign-in.tsx'
import { TakeLink } from './sign-in/take-link.tsx'
import { ThemeSwitch } from './theme.tsx'
import { Waiting } from './waiting.tsx'

const SIGN_OUT: Address<typeof signOut> = { method: 'POST', path: '/dashboard/api/sign-out' }

/** Where the browser is: /dashboard/NAME/ID?QUERY. */
const here = (): { name: string; id: string | undefined; query: URLSearchParams } => {
  const [, , name = '', id] = location.pathname.split('/')
  return {
    name,
    id: id === undefined ? undefined : decodeURIComponent(id),
    query: new URLSearchParams(location.search),
  }
}

/** The dashboard: the way in for who is not in, and the screens for who is. */
export function Dashboard(): JSX.Element {
  const [me, setMe] = useState<Me | null>()
  const [place, setPlace] = useState(here)
  const refresh = useCallback(async () => setMe((await readMe()) ?? null), [])
  const go = useCallback((address: string) => {
    history.pushState(null, '', address)
    setPlace(here())
    scrollTo(0, 0)
  }, [])
  useEffect(() => {
    const move = (): void => setPlace(here())
    const follow = followed(go)
    addEventListener('popstate', move)
    document.addEventListener('click', follow)
    whenSignedOut(() => setMe(null))
    whenToConfirm(confirmIdentity)
    void refresh()
    return () => {
      removeEventListener('popstate', move)
      document.removeEventListener('click', follow)
    }
  }, [refresh, go])
  if (place.name === 'link') return <TakeLink go={go} refresh={refresh} />
  if (me === undefined) return <Waiting />
  if (me === null || me.stage === 'second-factor') return <SignIn me={me ?? undefined} refresh={refresh} />
  const screen =
    me.stage === 'enrolment'
      ? SCREENS.find(({ name }) => name === 'profile')
      : SCREENS.find(({ name }) => name === place.name)
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
        screens={SCREENS.filter((one) => isFor(one, me))}
      />
    </Shell>
  )
}

/** Follows links inside the dashboard without a reload, as long as nobody wants them in another window. */
const followed =
  (go: (address: string) => void) =>
  (event: MouseEvent): void => {
    const link = (event.target as Element).closest('a')
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    if (link === null || !isPlain || link.target !== '' || link.origin !== location.origin) return
    if (!/^\/dashboard(\/|$)/.test(link.pathname) || link.hasAttribute('download')) return
    event.preventDefault()
    go(link.pathname + link.search)
  }

interface ShellProps {
  readonly me: Me
  readonly screen: Screen | undefined
  readonly go: (address: string) => void
  readonly children: JSX.Element
}

/** What is around every screen. */
function Shell({ me, screen, go, children }: ShellProps): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => setOpen(false), [screen])
  const leave = async (): Promise<void> => {
    await call(SIGN_OUT, {})
    location.assign('/dashboard')
  }
  return (
    <div class="dashboard">
      <a class="skip" href="#screen">
        Skip to the content
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
        {me.stage === 'in' && me.permissions.includes('money.read') ? <SearchBox go={go} /> : <span class="room" />}
        <Own me={me} leave={leave} />
      </header>
      <Navigation me={me} screen={screen} isOpen={isOpen}>
        <Own me={me} leave={leave} />
      </Navigation>
      <main class="screen" id="screen" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}

interface OwnProps extends Pick<ShellProps, 'me'> {
  readonly leave: () => Promise<void>
}

/** One's own: the look, the profile, the way out. At the top on a desk, at the end of the menu on a phone. */
const Own = ({ me, leave }: OwnProps): JSX.Element => (
  <div class="own">
    <ThemeSwitch />
    <a class="link" href="/dashboard/profile">
      {me.name}
    </a>
    <button class="link" type="button" onClick={() => void leave()}>
      Sign out
    </button>
  </div>
)

interface NavigationProps extends Pick<ShellProps, 'me' | 'screen' | 'children'> {
  readonly isOpen: boolean
}

/** The screens that are for this person, by heading. */
function Navigation({ me, screen, isOpen, children }: NavigationProps): JSX.Element {
  const shown = SCREENS.filter((one) => isFor(one, me) && (one.group !== undefined || one.name === ''))
  const groups = [...new Set(shown.map(({ group }) => group))]
  return (
    <nav class={isOpen ? 'navigation open' : 'navigation'} id="navigation" aria-label="Screens">
      {groups.map((group) => (
        <div key={group ?? ''}>
          {group !== undefined && <h2>{group}</h2>}
          <ul>
            {shown
              .filter((one) => one.group === group)
              .map(({ name, title }) => (
                <li key={name}>
                  <a
                    href={`/dashboard${name === '' ? '' : `/${name}`}`}
                    aria-current={screen?.name === name ? 'page' : undefined}
                  >
                    {title}
                  </a>
                </li>
              ))}
          </ul>
        </div>
      ))}
      {children}
    </nav>
  )
}

/** Loads a screen and shows it, or says why it cannot. */
function Outlet({ screen, ...props }: ScreenProps & { readonly screen: Screen | undefined }): JSX.Element {
  const [Loaded, setLoaded] = useState<ComponentType<ScreenProps>>()
  const [isLost, setLost] = useState(false)
  const isFirst = useRef(true)
  const allowed = screen !== undefined && isFor(screen, props.me)
  useEffect(() => {
    document.title = `${screen?.title ?? 'Not found'} · Kobo`
    if (!allowed) return
    screen.load().then(
      ({ default: component }) => setLoaded(() => component),
      () => setLost(true),
    )
    // Whoever moves by keyboard or hears the page is told that it is another.
    if (!isFirst.current) document.getElementById('screen')?.focus()
    isFirst.current = false
  }, [screen, allowed])
  if (screen === undefined) return <Apology title="There is nothing here" text="The address may be mistyped." />
  if (!allowed) return <Apology title="Not for your role" text="Ask an owner of your team if you need to see this." />
  if (isLost) return <Apology title="This could not be loaded" text="Check your connection, and reload the page." />
  return Loaded === undefined ? <Waiting /> : <Loaded {...props} />
}

/** Says that there is nothing to see, and why. */
export const Apology = ({ title, text }: { readonly title: string; readonly text: string }): JSX.Element => (
  <section class="apology stack">
    <h1>{title}</h1>
    <p class="quiet">{text}</p>
    <p>
      <a class="link" href="/dashboard">
        Go to the start
      </a>
    </p>
  </section>
)
