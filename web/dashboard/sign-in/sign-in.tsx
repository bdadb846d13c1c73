import type { Input, showPasskey } from '@kobo/contract'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import * as routes from '../../routes.ts'
import { call, type Me, problemOf, signOut } from '../api/call.ts'
import { Field, type Fields, Form } from '../parts/form.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { SignInPage } from './sign-in-page.tsx'
import { lastTeam, SignOnButton } from './sign-on.tsx'

/** In the sandbox merchants sign up themselves; in live mode the operator creates them. */
const IS_SANDBOX = document.getElementById('data')?.textContent?.includes('"sandbox"') === true

interface Props {
  /** The user who still has to give the second factor, if any. */
  readonly me: Me | undefined
  /** Whether the user was signed in until now. */
  readonly hasEnded: boolean
  readonly refresh: () => Promise<void>
}

type Assertion = Input<typeof showPasskey>['body']
type View = 'sign-in' | 'sign-up' | 'reset' | 'sign-on'
interface ViewSwitch {
  readonly show: (view: View) => void
}

/** Sign-in: the password, then the second factor. */
export function SignIn({ me, hasEnded, refresh }: Props): JSX.Element {
  const [view, setView] = useState<View>('sign-in')
  useEffect(() => {
    document.title = 'Sign in · Kobo'
  }, [])
  if (me !== undefined) return <SecondFactor me={me} refresh={refresh} />
  if (view === 'sign-in') return <Password hasEnded={hasEnded} refresh={refresh} show={setView} />
  return <EmailLink key={view} view={view} show={setView} />
}

function Password({ hasEnded, refresh, show }: Pick<Props, 'hasEnded' | 'refresh'> & ViewSwitch): JSX.Element {
  const team = lastTeam()
  const act = async ({ email = '', password = '' }: Fields): Promise<string | undefined> => {
    const response = await call(routes.signInWithPassword, { body: { email, password } })
    if (response.kind !== 'done') return problemOf(response)
    await refresh()
    return undefined
  }
  const byPasskey = async (body: Assertion): Promise<string | undefined> => {
    const response = await call(routes.signInWithPasskey, { body })
    if (response.kind !== 'done') return problemOf(response)
    await refresh()
    return undefined
  }
  return (
    <SignInPage title="Sign in" text="Sign in to your dashboard.">
      <div role="status">{hasEnded && <p class="notice">Your session has ended. Sign in to continue.</p>}</div>
      <Form act={act} submit="Sign in">
        <Field name="email" label="Email address" type="email" autocomplete="username" autofocus />
        <Field name="password" label="Password" type="password" autocomplete="current-password" />
      </Form>
      <PasskeyButton take={byPasskey} />
      {team !== null && <SignOnButton code={team} isPlain />}
      <div class="links">
        <button class="link" type="button" onClick={() => show('reset')}>
          Forgot your password?
        </button>
        {team === null && (
          <button class="link" type="button" onClick={() => show('sign-on')}>
            Single sign-on
          </button>
        )}
        {IS_SANDBOX && (
          <button class="link" type="button" onClick={() => show('sign-up')}>
            New here?
          </button>
        )}
      </div>
    </SignInPage>
  )
}

function SecondFactor({ me, refresh }: { readonly me: Me } & Pick<Props, 'refresh'>): JSX.Element {
  const act = async ({ code = '' }: Fields): Promise<string | undefined> => {
    const response = await call(routes.showSecondFactor, { body: { code } })
    if (response.kind !== 'done') return problemOf(response)
    await refresh()
    return undefined
  }
  const byPasskey = async (body: Assertion): Promise<string | undefined> => {
    const response = await call(routes.showPasskey, { body })
    if (response.kind !== 'done') return problemOf(response)
    await refresh()
    return undefined
  }
  return (
    <SignInPage title="Two-factor authentication" text={me.email}>
      <Form act={act} submit="Continue">
        <Field
          name="code"
          label="Code"
          autocomplete="one-time-code"
          hint="Six digits from your authenticator app, or a backup code."
          autofocus
        />
      </Form>
      <PasskeyButton take={byPasskey} />
      <button class="link" type="button" onClick={() => void signOut().then(refresh)}>
        Sign in as someone else
      </button>
    </SignInPage>
  )
}

const TEXTS = {
  reset: {
    title: 'Reset your password',
    text: 'We’ll email you a link to choose a new one.',
    submit: 'Email me a link',
    sent: 'If this address has an account, we’ve sent a reset link. It works once and expires in an hour.',
  },
  'sign-on': {
    title: 'Single sign-on',
    text: 'Your team has its own sign-in page. We’ll email you its address.',
    submit: 'Email me the address',
    sent: 'If your team has single sign-on, we’ve emailed you its sign-in page. Bookmark it.',
  },
  'sign-up': {
    title: 'Try it out',
    text: 'Your own sandbox, with test money.',
    submit: 'Continue',
    sent: 'We’ve sent a link to your address. It works once and expires in a day.',
  },
} as const

/** Sign-up and password reset, which continue by an emailed link. */
function EmailLink({ view, show }: { readonly view: Exclude<View, 'sign-in'> } & ViewSwitch): JSX.Element {
  const [isSent, setSent] = useState(false)
  const { title, text, submit, sent } = TEXTS[view]
  const act = async ({ email = '' }: Fields): Promise<string | undefined> => {
    const response = await (view === 'sign-up'
      ? call(routes.signUp, { body: { email } })
      : call(routes.requestReset, { body: { email } }))
    if (response.kind !== 'done') return problemOf(response)
    // A sandbox without a mail server returns the link itself.
    const link = response.body?.link ?? null
    if (link === null) setSent(true)
    else location.assign(link)
    return undefined
  }
  return (
    <SignInPage title={title} text={text}>
      {isSent ? (
        <p class="notice" role="status">
          {sent}
        </p>
      ) : (
        <Form act={act} submit={submit}>
          <Field name="email" label="Email address" type="email" autocomplete="email" autofocus />
        </Form>
      )}
      <button class="link" type="button" onClick={() => show('sign-in')}>
        Back to sign-in
      </button>
    </SignInPage>
  )
}
