import type { lookAtLink, Reply, takeLink } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { call, problemOf } from '../call.ts'
import { Field, type Fields, Form } from '../form.tsx'
import { Waiting } from '../waiting.tsx'
import { Slip } from './slip.tsx'

const LOOK: Address<typeof lookAtLink> = { method: 'POST', path: '/dashboard/api/link' }
const TAKE: Address<typeof takeLink> = { method: 'POST', path: '/dashboard/api/link/take' }
const PASSWORD_LENGTH_MIN = 10

type Link = Reply<typeof lookAtLink>
type Take = (fields: Fields) => Promise<string | undefined>

interface Props {
  readonly go: (address: string) => void
  readonly refresh: () => Promise<void>
}

/** What a link that was mailed leads to. Its token stands behind the hash sign, and goes from there into the call alone. */
export function TakeLink({ go, refresh }: Props): JSX.Element {
  const [token] = useState(() => location.hash.slice(1))
  const [link, setLink] = useState<Link | string>()
  const take: Take = async (fields) => {
    const answer = await call(TAKE, { body: { token, ...fields } })
    if (answer.kind !== 'done') return problemOf(answer)
    await refresh()
    go('/dashboard')
    return undefined
  }
  useEffect(() => {
    document.title = 'Welcome · Kobo'
    const look = async (): Promise<void> => {
      const answer = await call(LOOK, { body: { token } })
      if (answer.kind !== 'done') setLink(problemOf(answer))
      // The link that a sandbox prints when it starts asks for nothing more.
      else if (answer.body.kind === 'SIGN_IN') setLink(await take({}))
      else setLink(answer.body)
    }
    void look()
  }, [])
  if (link === undefined) return <Waiting />
  if (typeof link !== 'string') return <Taken link={link} take={take} />
  return (
    <Slip title="This link leads nowhere">
      <p class="notice warn">{link}</p>
      <a class="button" href="/dashboard">
        Go to sign-in
      </a>
    </Slip>
  )
}

const titleOf = ({ kind, merchant }: Link): string =>
  ({
    INVITATION: `Welcome to ${merchant ?? 'Kobo'}`,
    RESET: 'Choose a new password',
    VERIFICATION: 'Your own sandbox',
    SIGN_IN: 'Sign in',
  })[kind]

function Taken({ link, take }: { readonly link: Link; readonly take: Take }): JSX.Element {
  const { kind, email, role, isKnown } = link
  const showsPassword = isKnown && kind === 'INVITATION'
  return (
    <Slip title={titleOf(link)} text={role === null ? email : `${email}, as ${role}`}>
      <Form act={take} submit={showsPassword ? 'Join' : 'Go on'}>
        {kind === 'VERIFICATION' && (
          <Field name="merchantName" label="Name of your business" autocomplete="organization" autofocus />
        )}
        {!isKnown && <Field name="name" label="Your name" autocomplete="name" />}
        {showsPassword ? (
          <Field name="password" label="Your password" type="password" autocomplete="current-password" autofocus />
        ) : (
          <Field
            name="password"
            label="Password"
            type="password"
            autocomplete="new-password"
            minLength={PASSWORD_LENGTH_MIN}
            hint={`At least ${PASSWORD_LENGTH_MIN} characters: a few words are easier to remember than signs.`}
          />
        )}
      </Form>
    </Slip>
  )
}
