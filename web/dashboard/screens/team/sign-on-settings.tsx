import type { getSignOn, Reply } from '@kobo/contract'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import * as routes from '../../../routes.ts'
import { type CallResult, call, problemOf } from '../../api/call.ts'
import { useReply } from '../../api/use-reply.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { Field, type Fields, Form } from '../../parts/form.tsx'
import { moment } from '../../parts/format.ts'
import { LoadingOrError } from '../../parts/placeholders.tsx'

type Settings = Reply<typeof getSignOn>['settings']

/** The entries of a list that was typed with commas or blanks between them. */
const listOf = (text = ''): string[] => text.split(/[\s,]+/).filter((one) => one !== '')

/** Single sign-on of the team: its identity provider, and who must use it. */
export function SignOnSettings(): JSX.Element {
  const { body, problem, again } = useReply(routes.getSignOn, {})
  const [toast, setToast] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const [isOpen, setOpen] = useState(false)
  const settle = async (result: CallResult<unknown>, success: string): Promise<string | undefined> => {
    if (result.kind !== 'done') return problemOf(result)
    setToast(success)
    setOpen(false)
    await again()
    return undefined
  }
  const save = async ({ clientSecret, isRequired, domains, secondFactor, ...fields }: Fields) =>
    settle(
      await call(routes.setSignOn, {
        body: {
          issuer: fields['issuer'] ?? '',
          clientId: fields['clientId'] ?? '',
          domains: listOf(domains?.toLowerCase()),
          isRequired: isRequired === 'on',
          secondFactor: listOf(secondFactor),
          ...(clientSecret !== '' && clientSecret !== undefined && { clientSecret }),
        },
      }),
      'Single sign-on saved.',
    )
  const turnOff = async (): Promise<void> =>
    setFailure(await settle(await call(routes.removeSignOn, {}), 'Single sign-on turned off.'))
  if (body === undefined) return <LoadingOrError problem={problem} />
  const { settings, redirectUri, address } = body
  return (
    <section class="panel stack" aria-labelledby="sign-on">
      <h2 id="sign-on">Single sign-on</h2>
      <div role="status">{toast !== undefined && <p class="notice">{toast}</p>}</div>
      <div role="alert">{failure !== undefined && <p class="notice bad">{failure}</p>}</div>
      {settings === null ? (
        <p class="quiet">Your team can sign in through your identity provider (OpenID Connect).</p>
      ) : (
        <Summary settings={settings} address={address} />
      )}
      {isOpen ? (
        <Form act={save} submit="Save" cancel={() => setOpen(false)}>
          <SettingsFields settings={settings} redirectUri={redirectUri} />
        </Form>
      ) : (
        <div class="split-row">
          <button class="button plain fit" type="button" onClick={() => setOpen(true)}>
            {settings === null ? 'Set up single sign-on' : 'Change'}
          </button>
          {settings !== null && (
            <ConfirmButton
              look="link danger"
              label="Turn off"
              title="Turn off single sign-on?"
              text="Your team can no longer sign in through your identity provider. To turn it on again, you need its client secret."
              confirm="Turn off single sign-on"
              act={() => void turnOff()}
            />
          )}
        </div>
      )}
    </section>
  )
}

interface SummaryProps {
  readonly settings: NonNullable<Settings>
  readonly address: string
}

const Summary = ({ settings, address }: SummaryProps): JSX.Element => (
  <ul class="rows">
    <li>
      <span>Sign-in page</span>
      <span>
        <b>{address}</b> <CopyButton text={address} what="address of the sign-in page" />
      </span>
    </li>
    <li>
      <span>Issuer</span>
      <span>
        <b>{settings.issuer}</b>
      </span>
    </li>
    <li>
      <span>Email domains</span>
      <b>{settings.domains.join(', ')}</b>
    </li>
    <li>
      <span>Passwords</span>
      <b>{settings.isRequired ? 'Owners only' : 'Allowed'}</b>
    </li>
    <li>
      <span>Second factor</span>
      <b>
        {settings.secondFactor.length === 0
          ? 'Each user’s own'
          : `Your provider’s (${settings.secondFactor.join(', ')})`}
        {settings.secondFactorFrom !== null && ` from ${moment(settings.secondFactorFrom)}`}
      </b>
    </li>
  </ul>
)

interface FieldsProps {
  readonly settings: Settings
  readonly redirectUri: string
}

const SettingsFields = ({ settings, redirectUri }: FieldsProps): JSX.Element => (
  <>
    <p>
      Register this redirect URI at your provider: <b>{redirectUri}</b>{' '}
      <CopyButton text={redirectUri} what="redirect URI" />
    </p>
    <Field name="issuer" label="Issuer" value={settings?.issuer ?? ''} hint="For example https://login.example.com" />
    <Field name="clientId" label="Client ID" value={settings?.clientId ?? ''} />
    <Field
      name="clientSecret"
      label="Client secret"
      type="password"
      autocomplete="new-password"
      isOptional={settings !== null}
      {...(settings !== null && { hint: 'Leave empty to keep the current one.' })}
    />
    <Field
      name="domains"
      label="Email domains"
      value={settings?.domains.join(', ') ?? ''}
      hint="Your provider can sign in members whose email address is in these domains, for example example.com."
    />
    <Field
      name="secondFactor"
      label="Provider’s second factor"
      value={settings?.secondFactor.join(', ') ?? ''}
      hint="The amr or acr values that count as a second factor, such as mfa. Leave empty if each user sets one up in Kobo. A change takes effect after a day, or once a second owner saves the same values."
      isOptional
    />
    <label class="tick">
      <input type="checkbox" name="isRequired" defaultChecked={settings?.isRequired === true} />
      <span>
        Require single sign-on
        <small>Owners can still use a password, in case the provider is unavailable.</small>
      </span>
    </label>
  </>
)
