import type {
  Input,
  requestReset,
  showPasskey,
  showSecondFactor,
  signInWithPasskey,
  signInWithPassword,
  signOut,
  signUp,
} from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { call, type Me, problemOf } from '../call.ts'
import { Field, type Fields, Form } from '../form.tsx'
import { PasskeyButton } from '../passkey-button.tsx'
import { Slip } from './slip.tsx'

const SIGN_IN: Address<typeof signInWithPassword> = { method: 'POST', path: '/dashboard/api/sign-in' }
const SIGN_UP: Address<typeof signUp> = { method: 'POST', path: '/dashboard/api/sign-up' }
const RESET: Address<typeof requestReset> = { method: 'POST', path: '/dashboard/api/reset' }
const SECOND_FACTOR: Address<typeof showSecondFactor> = { method: 'POST', path: '/dashboard/api/second-factor' }
const PASSKEY_SIGN_IN: Address<typeof signInWithPasskey> = { method: 'POST', path: '/dashboard/api/passkey/sign-in' }
const PASSKEY: Address<typeof showPasskey> = { method: 'POST', path: '/dashboard/api/second-factor/passkey' }
const SIGN_OUT: Address<typeof signOut> = { method: 'POST', path: '/dashboard/api/sign-out' }

/** Merchants of a sandbox make themselves; in live the operator makes them. */
const IS_SANDBOX = document.getElementById('data')?.textContent?.includes('"sandbox"') === true

interface Props {
  /** Who is half way in, if somebody is. */
  readonly me: Me | undefined
  readonly refresh: () => Promise<void>
}

type Assertion = Input<typeof showPasskey>['body']
type View = 'sign-in' | 'sign-up' | 'reset'
interface Chosen {
  readonly show: (view: View) => void
}

/** The way in: the password, and then the second factor. */
export function SignIn({ me, refresh }: Props): JSX.Element {
  const [view, setView] = useState<View>('sign-in')
  useEffect(() => {
    document.title = 'Sign in · Kobo'
  }, [])
  if (me !== undefined) return <SecondFactor me={me} refresh={refresh} />
  if (view === 'sign-in') return <Password refresh={refresh} show={setView} />
  return <Mailed key={view} view={view} show={setView} />
}

function Password({ refresh, show }: Pick<Props, 'refresh'> & Chosen): JSX.Element {
  const act = async ({ email = '', password = '' }: Fields): Promise<string | undefined> => {
    const answer = await call(SIGN_IN, { body: { email, password } })
    if (answer.kind !== 'done') return problemOf(answer)
    await refresh()
    return undefined
  }
  const byPasskey = async (body: Assertion): Promise<string | undefined> => {
    const answer = await call(PASSKEY_SIGN_IN, { body })
    if (answer.kind !== 'done') return problemOf(answer)
    await refresh()
    return undefined
  }
  return (
    <Slip title="Sign in" text="The dashboard of your business.">
      <Form act={act} submit="Sign in">
        <Field name="email" label="E-mail address" type="email" autocomplete="username" autofocus />
        <Field name="password" label="Password" type="password" autocomplete="current-password" />
      </Form>
      <PasskeyButton take={byPasskey} />
      <div class="beside-each-other">
        <button class="link" type="button" onClick={() => show('reset')}>
          Forgot your password?
        </button>
        {IS_SANDBOX && (
          <button class="link" type="button" onClick={() => show('sign-up')}>
            New here?
          </button>
        )}
      </div>
    </Slip>
  )
}

function SecondFactor({ me, refresh }: { readonly me: Me } & Pick<Props, 'refresh'>): JSX.Element {
  const act = async ({ code = '' }: Fields): Promise<string | undefined> => {
    const answer = await call(SECOND_FACTOR, { body: { code } })
    if (answer.kind !== 'done') return problemOf(answer)
    await refresh()
    return undefined
  }
  const leave = async (): Promise<void> => {
    await call(SIGN_OUT, {})
    await refresh()
  }
  const byPasskey = async (body: Assertion): Promise<string | undefined> => {
    const answer = await call(PASSKEY, { body })
    if (answer.kind !== 'done') return problemOf(answer)
    await refresh()
    return undefined
  }
  return (
    <Slip title="Your second factor" text={me.email}>
      <Form act={act} submit="Continue">
        <Field
          name="code"
          label="Code"
          autocomplete="one-time-code"
          hint="Six digits from your authenticator, or one of your backup codes."
          autofocus
        />
      </Form>
      <PasskeyButton take={byPasskey} />
      <button class="link" type="button" onClick={() => void leave()}>
        Sign in as somebody else
      </button>
    </Slip>
  )
}

const TEXTS = {
  reset: {
    title: 'A new password',
    text: 'We mail you a link with which you choose another one.',
    submit: 'Mail me a link',
    sent: 'If somebody has this address here, a link is on its way to it. It leads in once, within an hour.',
  },
  'sign-up': {
    title: 'Try it out',
    text: 'A sandbox of your own, with play money.',
    submit: 'Go on',
    sent: 'A link is on its way to your address. It leads in once, within a day.',
  },
} as const

/** What leads on by a link that is mailed. */
function Mailed({ view, show }: { readonly view: 'reset' | 'sign-up' } & Chosen): JSX.Element {
  const [isSent, setSent] = useState(false)
  const { title, text, submit, sent } = TEXTS[view]
  const act = async ({ email = '' }: Fields): Promise<string | undefined> => {
    const answer = await (view === 'reset' ? call(RESET, { body: { email } }) : call(SIGN_UP, { body: { email } }))
    if (answer.kind !== 'done') return problemOf(answer)
    // A sandbox without a mail server hands the link over at once.
    const link = answer.body?.link ?? null
    if (link === null) setSent(true)
    else location.assign(link)
    return undefined
  }
  return (
    <Slip title={title} text={text}>
      {isSent ? (
        <p class="notice" role="status">
          {sent}
        </p>
      ) : (
        <Form act={act} submit={submit}>
          <Field name="email" label="E-mail address" type="email" autocomplete="email" autofocus />
        </Form>
      )}
      <button class="link" type="button" onClick={() => show('sign-in')}>
        Back to sign-in
      </button>
    </Slip>
  )
}
