import type { lookAtLink, Reply } from '@kobo/contract'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import * as routes from '../../routes.ts'
import { call, problemOf } from '../api/call.ts'
import { Field, type Fields, Form } from '../parts/form.tsx'
import { Loading } from '../parts/placeholders.tsx'
import { SignInPage } from './sign-in-page.tsx'
import { SignOnButton } from './sign-on.tsx'

const PASSWORD_LENGTH_MIN = 12

type Link = Reply<typeof lookAtLink>
type Submit = (fields: Fields) => Promise<string | undefined>

interface Props {
  readonly go: (address: string) => void
  readonly refresh: () => Promise<void>
}

/** The page of an emailed link. Its token is in the URL's fragment, which browsers do not send to servers. */
export function MailedLink({ go, refresh }: Props): JSX.Element {
  const [token] = useState(() => location.hash.slice(1))
  const [link, setLink] = useState<Link | string>()
  const take: Submit = async (fields) => {
    const response = await call(routes.takeLink, { body: { token, ...fields } })
    if (response.kind !== 'done') return problemOf(response)
    await refresh()
    go('/dashboard')
    return undefined
  }
  useEffect(() => {
    document.title = 'Welcome · Kobo'
    const look = async (): Promise<void> => {
      const response = await call(routes.lookAtLink, { body: { token } })
      if (response.kind !== 'done') setLink(problemOf(response))
      // The link that a sandbox prints at start signs in without a form.
      else if (response.body.kind === 'SIGN_IN') setLink(await take({}))
      else setLink(response.body)
    }
    void look()
  }, [])
  if (link === undefined) return <Loading />
  if (typeof link !== 'string') return <LinkForm link={link} token={token} take={take} />
  return (
    <SignInPage title="This link doesn’t work">
      <p class="notice warn">{link}</p>
      <a class="button" href="/dashboard">
        Go to sign-in
      </a>
    </SignInPage>
  )
}

const titleOf = ({ kind, merchant }: Link): string =>
  ({
    INVITATION: `Welcome to ${merchant ?? 'Kobo'}`,
    RESET: 'Choose a new password',
    VERIFICATION: 'Your own sandbox',
    SIGN_IN: 'Sign in',
  })[kind]

interface LinkFormProps {
  readonly link: Link
  readonly token: string
  readonly take: Submit
}

function LinkForm({ link, token, take }: LinkFormProps): JSX.Element {
  const { kind, email, role, isKnown, signOn } = link
  const showsPassword = isKnown && kind === 'INVITATION'
  return (
    <SignInPage title={titleOf(link)} text={role === null ? email : `${email}, as ${role}`}>
      {signOn !== null && <SignOnButton code={signOn.code} link={token} isPlain={!signOn.isRequired} />}
      {signOn?.isRequired !== true && (
        <Form act={take} submit={showsPassword ? 'Join' : 'Continue'}>
          {kind === 'VERIFICATION' && (
            <Field name="merchantName" label="Business name" autocomplete="organization" autofocus />
          )}
          {!isKnown && kind !== 'RESET' && <Field name="name" label="Your name" autocomplete="name" />}
          {showsPassword ? (
            <Field name="password" label="Your password" type="password" autocomplete="current-password" autofocus />
          ) : (
            <Field
              name="password"
              label="Password"
              type="password"
              autocomplete="new-password"
              minLength={PASSWORD_LENGTH_MIN}
              hint={`At least ${PASSWORD_LENGTH_MIN} characters. A few random words are easy to remember.`}
            />
          )}
        </Form>
      )}
    </SignInPage>
  )
}
